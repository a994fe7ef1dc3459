// Reactors: what reacts to what, how it went, a bench to try events on, and what was given up.
import { tagGlob } from '../../core/event/tag-glob.ts'
import { type Api, asList, asMap, type JsonMap, messageOf, text } from '../api/api.ts'
import { useAsked } from '../api/use.ts'
import { Answer, Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { agoOf, stampTime } from '../parts/time.ts'
import { Bench } from './bench.tsx'
import { FailedReactions } from './failed-reactions.tsx'

/** The page. */
export function ReactorsPage() {
  const asked = useAsked(reactorsOf, [])
  return (
    <>
      <div class="bar">
        <p class="note grow">Hits are the events in the log that an entry's glob takes, of the newest 1000.</p>
        <button type="button" onClick={asked.reload}>
          Reload
        </button>
      </div>
      <Answer asked={asked}>{({ entries }) => <Entries entries={entries} />}</Answer>
      <FailedReactions letters={asked.value?.letters} changed={asked.reload} />
      <Bench />
    </>
  )
}

interface Entry {
  readonly glob: string
  readonly files: readonly string[]
  readonly asks: string
  readonly hits: number
  readonly last: number
  readonly outcome: string
  readonly failures: number
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0)
    return (
      <Empty>
        <p>
          Nothing reacts yet. Add an entry: <code>brine-run reactor.add 'hello/*' reactors=/srv/reactor/hello.sls</code>
          , or <code>reactor:</code> in the master's configuration.
        </p>
      </Empty>
    )
  const rows = entries.map(({ glob, files, asks, hits, last, outcome, failures }) => ({
    key: glob,
    cells: [
      <span key="glob" class="mono">
        {glob}
        {asks === '' ? null : <span class="note"> {asks}</span>}
      </span>,
      <ul key="files">
        {files.map((file) => (
          <li key={file} class="mono" title={file}>
            {file.split('/').slice(-2).join('/')}
          </li>
        ))}
      </ul>,
      String(hits),
      failures === 0 ? (
        '0'
      ) : (
        <span key="failures" class="badge bad">
          {failures}
        </span>
      ),
      hits === 0 ? (
        <span key="never" class="note">
          not in the log
        </span>
      ) : (
        <span key="last">
          {agoOf(last)} <span class="note">{outcome}</span>
        </span>
      ),
    ],
  }))
  return <Table label="Reactor entries" heads={['Tag glob', 'Files', 'Hits', 'Failures', 'Last run']} rows={rows} />
}

interface Reactors {
  readonly entries: readonly Entry[]
  /** The dead letters, or why they may not be seen. */
  readonly letters: readonly JsonMap[] | string
}

async function reactorsOf(api: Api): Promise<Reactors> {
  const list = asList(await api.runner('reactor.list')).map(asMap)
  const letters = await api
    .runner('reactor.failed')
    .then((found) => asList(found).map(asMap))
    .catch(messageOf)
  const entries = await Promise.all(
    list
      .flatMap((entry) => Object.entries(entry))
      .map(async ([glob, value]): Promise<Entry> => {
        const hits = asList(await api.runner('event.list', [], { tag: glob, limit: 1000 }).catch(() => [])).map(asMap)
        const last = hits.at(-1)
        const story =
          last === undefined ? {} : asMap(await api.runner('reactor.explain', [text(last.event)]).catch(() => ({})))
        const takes = tagGlob(glob)
        const { files, asks } = configured(value)
        return {
          glob,
          files,
          asks,
          hits: hits.length,
          last: stampTime(text(last?.at)),
          outcome: text(story.summary),
          failures: typeof letters === 'string' ? 0 : letters.filter(({ tag }) => takes(text(tag))).length,
        }
      }),
  )
  return { entries, letters }
}

/** An entry is a list of files, or a map of conditions with the files in it. */
function configured(value: Parameters<typeof asMap>[0]): { files: readonly string[]; asks: string } {
  if (Array.isArray(value)) return { files: asList(value).map(text), asks: '' }
  if (typeof value === 'string') return { files: [value], asks: '' }
  const { sls, ...asks } = asMap(value)
  return { files: asList(sls).map(text), asks: JSON.stringify(asks) }
}
