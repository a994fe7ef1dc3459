// One minion: its grains, and ways to go on from here.
import { useState } from 'preact/hooks'
import { asList, type JsonMap, text } from '../api/api.ts'
import { useHeading } from '../parts/focus.ts'
import { JsonView } from '../parts/json-view.tsx'

/** What is shown of a minion. */
export interface Minion {
  readonly id: string
  readonly present: boolean
  readonly grains: JsonMap
  readonly lastJob: { readonly jid: string; readonly fun: string; readonly at: number } | undefined
}

/** The grains that are told first. */
const TOLD = [
  'osfinger',
  'kernelrelease',
  'cpuarch',
  'num_cpus',
  'mem_total',
  'fqdn_ip4',
  'brineversion',
  'nodeversion',
]

/** The panel beside the list. */
export function MinionDetail({ minion, close }: { readonly minion: Minion; readonly close: () => void }) {
  const { id, grains } = minion
  const heading = useHeading()
  const [typed, setTyped] = useState('')
  const shown = Object.fromEntries(
    Object.entries(grains).filter(([name, value]) =>
      `${name} ${text(value)}`.toLowerCase().includes(typed.toLowerCase()),
    ),
  )
  return (
    <section class="detail" aria-label="Minion" onKeyDown={(key) => key.key === 'Escape' && close()}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {id}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      <p>
        <a href={`#/jobs/run:${encodeURIComponent(id)}`}>Run a function on it</a>
      </p>
      <dl>
        {TOLD.filter((name) => grains[name] !== undefined).map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{Array.isArray(grains[name]) ? asList(grains[name]).map(text).join(', ') : text(grains[name])}</dd>
          </div>
        ))}
      </dl>
      <h3>Grains</h3>
      <label class="form">
        <span class="note">Name or value contains</span>
        <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      {Object.keys(shown).length === 0 ? (
        <p class="note">{typed === '' ? 'It has sent no grains yet.' : 'No grain contains that.'}</p>
      ) : (
        <JsonView value={shown} label="Grains" />
      )}
    </section>
  )
}
