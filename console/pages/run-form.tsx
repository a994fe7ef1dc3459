// The form that runs a function on minions.
import { useState } from 'preact/hooks'
import { asMap, messageOf, text } from '../api/api.ts'
import { useAsked, useMaster } from '../api/use.ts'
import { goTo } from '../parts/route.ts'
import { Problem } from '../parts/states.tsx'
import { type Target, TargetFields } from '../parts/target.tsx'
import { argumentsOf } from '../parts/words.ts'

/** The form; what it starts is shown as that job. */
export function RunForm({ target: first }: { readonly target: string }) {
  const { api } = useMaster()
  const [target, setTarget] = useState<Target>({ tgt: first, type: 'glob' })
  const [fun, setFun] = useState('')
  const [line, setLine] = useState('')
  const [problem, setProblem] = useState<string>()
  const [waits, setWaits] = useState(false)
  // The functions are what the minions have: without a minion, or the right to ask, one types without completion.
  const docs = useAsked((asked) => asked.runner('doc.execution').then(asMap, () => ({})), [])
  const functions = asMap(docs.value)
  const run = async (event: Event): Promise<void> => {
    event.preventDefault()
    setWaits(true)
    setProblem(undefined)
    try {
      const { jid, minions } = await api.publish({ tgt: target.tgt, tgt_type: target.type, fun, ...argumentsOf(line) })
      if (jid === undefined || minions.length === 0)
        setProblem(`The target ${target.tgt} (${target.type}) means no minion. Minions shows whom a target means.`)
      else goTo('jobs', jid)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setWaits(false)
  }
  const doc = text(functions[fun]).trim()
  return (
    <form class="panel form" aria-label="Run a function" onSubmit={(event) => void run(event)}>
      <div class="bar">
        <TargetFields target={target} change={setTarget} />
        <label class="grow">
          <span>Function</span>
          <input
            name="function"
            class="mono"
            list="functions"
            required
            spellcheck={false}
            autocomplete="off"
            placeholder="test.ping"
            value={fun}
            onInput={(event) => setFun(event.currentTarget.value)}
          />
        </label>
        <label class="grow">
          <span>Arguments</span>
          <input
            name="arguments"
            class="mono"
            spellcheck={false}
            autocomplete="off"
            placeholder="'uptime -p' timeout=5"
            value={line}
            onInput={(event) => setLine(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={waits}>
          Run
        </button>
      </div>
      <datalist id="functions">
        {Object.keys(functions).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {problem === undefined ? null : <Problem what={problem} />}
      {doc === '' ? null : (
        <details class="doc">
          <summary>
            {fun}: {doc.split('\n')[0]}
          </summary>
          <pre>{doc.replace(/^ {4}/gm, '')}</pre>
        </details>
      )}
    </form>
  )
}
