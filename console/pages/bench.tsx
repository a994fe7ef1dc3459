// The bench: an event is pasted, and what would run is seen. Nothing runs.
import { useState } from 'preact/hooks'
import { asList, asMap, type Json, type JsonMap, messageOf, text } from '../api/api.ts'
import { useMaster } from '../api/use.ts'
import { Empty, Problem } from '../parts/states.tsx'

/** The section. A line of the bus (`tag` and data) may be pasted whole into either field. */
export function Bench() {
  const { api } = useMaster()
  const [tag, setTag] = useState('')
  const [data, setData] = useState('')
  const [result, setResult] = useState<JsonMap>()
  const [problem, setProblem] = useState<string>()
  const [waits, setWaits] = useState(false)
  const take = (pasted: string, other: (typed: string) => void): void => {
    const [, first, rest] = /^\s*([^\s{]+)\s+(\{.*)$/s.exec(pasted) ?? []
    if (first === undefined || rest === undefined) other(pasted)
    else {
      setTag(first)
      setData(rest)
    }
  }
  const test = async (event: Event): Promise<void> => {
    event.preventDefault()
    setWaits(true)
    setProblem(undefined)
    try {
      setResult(asMap(await api.runner('reactor.test', [tag], data.trim() === '' ? {} : { data: dataOf(data) })))
    } catch (error) {
      setResult(undefined)
      setProblem(messageOf(error))
    }
    setWaits(false)
  }
  return (
    <section aria-labelledby="bench">
      <h2 id="bench">Bench</h2>
      <form class="panel form" onSubmit={(event) => void test(event)}>
        <p class="note">
          Paste an event as the bus prints it, or its tag and data. What would run is shown; nothing runs.
        </p>
        <label>
          <span>Tag</span>
          <input
            class="mono"
            required
            spellcheck={false}
            placeholder="salt/minion/web1/start"
            value={tag}
            onInput={(event) => take(event.currentTarget.value, setTag)}
          />
        </label>
        <label>
          <span>Data (JSON or YAML)</span>
          <textarea
            rows={6}
            spellcheck={false}
            placeholder={'{"id": "web1", "data": {"name": "you"}}'}
            value={data}
            onInput={(event) => take(event.currentTarget.value, setData)}
          />
        </label>
        <div>
          <button type="submit" class="main" disabled={waits}>
            What would run?
          </button>
        </div>
      </form>
      <div role="status">
        {problem === undefined ? null : <Problem what={problem} />}
        {result === undefined ? null : <Trial result={result} />}
      </div>
    </section>
  )
}

/** JSON as a value; else as it is, which the master reads as YAML. */
function dataOf(typed: string): Json {
  try {
    return JSON.parse(typed) as Json
  } catch {
    return typed
  }
}

function Trial({ result }: { readonly result: JsonMap }) {
  const files = asList(result.files).map(asMap)
  const unmatched = asList(result.unmatched).map(asMap)
  return (
    <>
      {files.length === 0 ? <Empty>No entry's glob takes this tag, so nothing would run.</Empty> : null}
      {files.map((file) => (
        <section key={`${text(file.glob)} ${text(file.sls)}`} class="panel trial" aria-label={text(file.sls)}>
          <h3 class="mono">
            {text(file.sls)} <span class="note">by {text(file.glob)}</span>
          </h3>
          <FileTrial file={file} />
        </section>
      ))}
      {unmatched.length === 0 ? null : (
        <details class="panel">
          <summary>
            {unmatched.length} {unmatched.length === 1 ? 'entry does' : 'entries do'} not react
          </summary>
          <ul>
            {unmatched.map((entry) => (
              <li key={text(entry.glob)}>
                <span class="mono">{text(entry.glob)}</span> <span class="note">{text(entry.reason)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function FileTrial({ file }: { readonly file: JsonMap }) {
  const reactions = asList(file.reactions).map(asMap)
  const error = file.error === undefined ? undefined : asMap(file.error)
  return (
    <>
      {error === undefined ? null : <Problem what={text(error.message) || text(file.error)} />}
      {reactions.length === 0 && error === undefined ? <p class="note">It renders to no reaction.</p> : null}
      <ul>
        {reactions.map((reaction) => {
          const call = asMap(reaction.call)
          const refused = text(reaction.error) || text(asMap(reaction.error).message)
          const { arg, kwarg } = asMap(call.kwargs)
          return (
            <li key={text(asMap(reaction.chunk).__id__)} class="call">
              <span class={refused === '' ? 'badge good' : 'badge bad'}>
                {refused === '' ? 'would run' : 'refused'}
              </span>{' '}
              <b>{text(asMap(reaction.chunk).__id__)}</b>{' '}
              <code>
                {text(call.client)} {text(call.fun)}
                {call.tgt === undefined ? '' : ` on ${text(call.tgt)}`}
                {argumentsText(arg ?? asMap(call.low).arg, kwarg ?? asMap(call.low).kwarg)}
              </code>
              {refused === '' ? null : <p class="note">{refused}</p>}
            </li>
          )
        })}
      </ul>
      {text(file.text) === '' ? null : (
        <details>
          <summary>What it renders to</summary>
          <pre class="text">{text(file.text)}</pre>
        </details>
      )}
    </>
  )
}

function argumentsText(arg: Json | undefined, kwarg: Json | undefined): string {
  const words = asList(arg).map((value) => JSON.stringify(value))
  const named = Object.entries(asMap(kwarg)).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [...words, ...named].map((word) => ` ${word}`).join('')
}
