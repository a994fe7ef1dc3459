// Minions: who is there, what they are, what they did last; found by target.
import { useEffect, useState } from 'preact/hooks'
import { type Api, asList, asMap, text } from '../api/api.ts'
import { useAsked, useReloadOn } from '../api/use.ts'
import { goTo, usePath } from '../parts/route.ts'
import { Answer, Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { type Target, TargetFields } from '../parts/target.tsx'
import { agoOf, stampTime } from '../parts/time.ts'
import { type Minion, MinionDetail } from './minion-detail.tsx'

/** The page. */
export function MinionsPage() {
  const [target, setTarget] = useState<Target>({ tgt: '*', type: 'glob' })
  const wanted = useSettled(target)
  const asked = useAsked((api) => minionsOf(api, wanted), [wanted.tgt, wanted.type])
  useReloadOn(
    ({ tag }) => /^(minion_start|salt\/key|minion\/refresh\/.*|salt\/presence\/.*|salt\/job\/.*\/ret\/.*)$/.test(tag),
    asked.reload,
  )
  const [, chosen] = usePath()
  return (
    <>
      <div class="bar">
        <TargetFields target={target} change={setTarget} />
      </div>
      <Answer asked={asked}>
        {(minions) => {
          const shown = minions.find(({ id }) => id === chosen)
          return (
            <>
              <p class="note" role="status">
                {minions.length} {minions.length === 1 ? 'minion' : 'minions'},{' '}
                {minions.filter(({ present }) => present).length} connected
              </p>
              <div class={shown === undefined ? 'split' : 'split open'}>
                <MinionTable minions={minions} chosen={chosen} everybody={wanted.tgt === '*'} />
                {shown === undefined ? null : (
                  <MinionDetail key={shown.id} minion={shown} close={() => goTo('minions')} />
                )}
              </div>
            </>
          )
        }}
      </Answer>
    </>
  )
}

interface ListProps {
  readonly minions: readonly Minion[]
  readonly chosen: string
  readonly everybody: boolean
}

function MinionTable({ minions, chosen, everybody }: ListProps) {
  if (minions.length === 0)
    return (
      <Empty>
        {everybody ? (
          <p>
            No minion has an accepted key. Start one (<code>brine-minion</code>), then accept it at{' '}
            <a href="#/keys">Keys</a>.
          </p>
        ) : (
          <p>No minion is meant by this target. Compound is the widest: G@os:Debian and web*</p>
        )}
      </Empty>
    )
  const rows = minions.map(({ id, present, grains, lastJob }) => ({
    key: id,
    current: id === chosen,
    cells: [
      <a key="id" href={`#/minions/${encodeURIComponent(id)}`} class="mono">
        {id}
      </a>,
      <span key="there" class={present ? 'lamp live' : 'lamp away'}>
        {present ? 'connected' : 'away'}
      </span>,
      [text(grains.os), text(grains.osrelease)].join(' '),
      text(grains.brineversion ?? grains.saltversion),
      lastJob === undefined ? (
        <span key="none" class="note">
          none known
        </span>
      ) : (
        <a key="job" href={`#/jobs/${lastJob.jid}`}>
          {lastJob.fun || lastJob.jid} <span class="note">{agoOf(lastJob.at)}</span>
        </a>
      ),
    ],
  }))
  return <Table label="Minions" heads={['Minion', 'Presence', '-System', '-Version', 'Last job']} rows={rows} />
}

async function minionsOf(api: Api, { tgt, type }: Target): Promise<readonly Minion[]> {
  const [grains, present, returns, jobs] = await Promise.all([
    api.runner('cache.grains', [tgt || '*', type]),
    api.runner('manage.present'),
    // Whoever may see minions need not see events and jobs.
    api.runner('event.list', [], { tag: 'salt/job/*/ret/*', limit: 1000 }).catch(() => []),
    api.runner('jobs.list_jobs').catch(() => ({})),
  ])
  const here = new Set(asList(present).map(text))
  const last = new Map<string, Minion['lastJob']>()
  for (const event of asList(returns).map(asMap)) {
    const [, jid = '', id = ''] = /^salt\/job\/([^/]+)\/ret\/(.+)$/s.exec(text(event.tag)) ?? []
    last.set(id, { jid, fun: text(asMap(asMap(jobs)[jid]).Function), at: stampTime(text(event.at)) })
  }
  return Object.entries(asMap(grains))
    .map(([id, values]) => ({ id, present: here.has(id), grains: asMap(values), lastJob: last.get(id) }))
    .sort((a, b) => Number(b.present) - Number(a.present) || (a.id < b.id ? -1 : 1))
}

/** What is typed, a moment after the last key. */
function useSettled(target: Target): Target {
  const [settled, setSettled] = useState(target)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(target), 250)
    return () => clearTimeout(timer)
  }, [target])
  return settled
}
