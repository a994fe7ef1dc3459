// One job: how many have returned, and what.
import { useEffect } from 'preact/hooks'
import { type Api, asList, asMap, type Json, text } from '../api/api.ts'
import { useAsked, useBus } from '../api/use.ts'
import { useHeading } from '../parts/focus.ts'
import { JsonView } from '../parts/json-view.tsx'
import { Progress } from '../parts/progress.tsx'
import { Answer } from '../parts/states.tsx'
import { agoOf, jidTime } from '../parts/time.ts'
import { isHighstate, StateTable } from './state-table.tsx'

interface Return {
  readonly value: Json
  readonly failed: boolean
}

/** The panel; returns come in as they come over the bus. */
export function JobDetail({ jid, close }: { readonly jid: string; readonly close: () => void }) {
  const bus = useBus()
  const heading = useHeading()
  const asked = useAsked((api) => jobOf(api, jid), [jid])
  const returns = new Map(asked.value?.returns)
  const begin = `salt/job/${jid}/ret/`
  for (const { tag, data } of bus.events)
    if (tag.startsWith(begin) && data !== undefined)
      returns.set(tag.slice(begin.length), { value: data.return ?? null, failed: hasFailed(data) })
  const all = asked.value?.minions ?? []
  const open = asked.value !== undefined && returns.size < all.length
  const { reload } = asked
  useEffect(() => {
    if (!open) return undefined
    const timer = setInterval(reload, 5000)
    return () => clearInterval(timer)
  }, [open, reload])
  return (
    <section class="panel job" aria-label="Job" onKeyDown={(key) => key.key === 'Escape' && close()}>
      <header class="bar">
        <h2 ref={heading} tabIndex={-1} class="grow mono">
          {asked.value === undefined ? jid : `${asked.value.fun} ${asked.value.args}`}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      <Answer asked={asked}>
        {(job) => (
          <>
            <p class="note">
              for {job.target} ({job.type}) by {job.user}, {agoOf(jidTime(jid))} · jid {jid}
            </p>
            <Progress
              label="Returns"
              done={returns.size}
              failed={[...returns.values()].filter(({ failed }) => failed).length}
              all={Math.max(all.length, returns.size)}
            />
            <ul class="returns">
              {[...returns]
                .sort(([a, one], [b, two]) => Number(two.failed) - Number(one.failed) || (a < b ? -1 : 1))
                .map(([id, { value, failed }]) => (
                  <li key={id}>
                    <h3>
                      <a href={`#/minions/${encodeURIComponent(id)}`} class="mono">
                        {id}
                      </a>{' '}
                      <span class={failed ? 'badge bad' : 'badge good'}>{failed ? 'failed' : 'returned'}</span>
                    </h3>
                    <ReturnValue value={value} id={id} />
                  </li>
                ))}
            </ul>
            {open ? (
              <p class="note">
                Not yet:{' '}
                {all
                  .filter((id) => !returns.has(id))
                  .slice(0, 50)
                  .join(', ')}
              </p>
            ) : null}
          </>
        )}
      </Answer>
    </section>
  )
}

function ReturnValue({ value, id }: { readonly value: Json; readonly id: string }) {
  if (isHighstate(value)) return <StateTable value={asMap(value)} id={id} />
  if (typeof value === 'string' && value !== '') return <pre class="text">{value}</pre>
  return <JsonView value={value} label={`What ${id} returned`} />
}

function hasFailed(load: { readonly [name: string]: Json }): boolean {
  return load.success === false || (typeof load.retcode === 'number' && load.retcode !== 0)
}

interface Job {
  readonly fun: string
  readonly args: string
  readonly target: string
  readonly type: string
  readonly user: string
  readonly minions: readonly string[]
  readonly returns: readonly (readonly [string, Return])[]
}

async function jobOf(api: Api, jid: string): Promise<Job> {
  const job = asMap(await api.runner('jobs.list_job', [jid]))
  if (job.Function === undefined || job.Error !== undefined)
    throw new Error(`Job ${jid} is not in the job cache: it is older than keep_jobs_seconds, or never was.`)
  return {
    fun: text(job.Function),
    args: asList(job.Arguments).map(text).join(' '),
    target: text(job.Target),
    type: text(job['Target-type']),
    user: text(job.User),
    minions: asList(job.Minions).map(text),
    returns: Object.entries(asMap(job.Result)).map(([id, load]) => {
      const value = asMap(load).return ?? null
      return [id, { value, failed: hasFailed(asMap(load)) || (isHighstate(value) && anyFailed(value)) }]
    }),
  }
}

function anyFailed(value: Json): boolean {
  return Object.values(asMap(value)).some((state) => asMap(state).result === false)
}
