// Jobs: run a function, watch it, and look at those that ran.
import { useState } from 'preact/hooks'
import { type Api, asList, asMap, text } from '../api/api.ts'
import { useAsked, useReloadOn } from '../api/use.ts'
import { goTo, usePath } from '../parts/route.ts'
import { Answer, Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { agoOf, jidTime } from '../parts/time.ts'
import { JobDetail } from './job-detail.tsx'
import { RunForm } from './run-form.tsx'

/** The page. `#/jobs/JID` shows that job, `#/jobs/run:ID` has the form filled for that minion. */
export function JobsPage() {
  const [, what] = usePath()
  const target = /^run:(.*)$/s.exec(what)?.[1]
  const jid = target === undefined && what !== '' ? what : undefined
  return (
    <>
      <RunForm key={target} target={target ?? '*'} />
      {jid === undefined ? null : <JobDetail key={jid} jid={jid} close={() => goTo('jobs')} />}
      <JobList current={jid} />
    </>
  )
}

interface Job {
  readonly jid: string
  readonly fun: string
  readonly args: string
  readonly target: string
  readonly user: string
}

/** Rows that are drawn. */
const ROWS = 200

function JobList({ current }: { readonly current: string | undefined }) {
  const asked = useAsked(jobsOf, [])
  const [typed, setTyped] = useState('')
  useReloadOn(({ tag }) => /^salt\/job\/[^/]+\/new$/.test(tag), asked.reload)
  return (
    <section aria-labelledby="jobs">
      <div class="bar">
        <h2 id="jobs" class="grow">
          Jobs
        </h2>
        <label>
          <span>Contains</span>
          <input type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      </div>
      <Answer asked={asked}>
        {(jobs) => {
          const fits = jobs.filter((job) => Object.values(job).some((part: string) => part.includes(typed)))
          if (fits.length === 0)
            return <Empty>{typed === '' ? 'No job is kept. Run a function above.' : 'No job contains that.'}</Empty>
          const rows = fits.slice(0, ROWS).map(({ jid, fun, args, target, user }) => ({
            key: jid,
            current: jid === current,
            cells: [
              <a key="fun" href={`#/jobs/${jid}`} class="mono">
                {fun}
              </a>,
              <span key="args" class="mono cut">
                {args}
              </span>,
              <span key="target" class="mono">
                {target}
              </span>,
              agoOf(jidTime(jid)),
              user,
              <span key="jid" class="mono">
                {jid}
              </span>,
            ],
          }))
          return (
            <>
              <Table
                label="All jobs"
                heads={['Function', '-Arguments', 'Target', 'When', '-User', '-Jid']}
                rows={rows}
              />
              {fits.length > ROWS ? (
                <p class="note">
                  The newest {ROWS} of {fits.length}.
                </p>
              ) : null}
            </>
          )
        }}
      </Answer>
    </section>
  )
}

async function jobsOf(api: Api): Promise<readonly Job[]> {
  const jobs = asMap(await api.runner('jobs.list_jobs'))
  return Object.entries(jobs)
    .map(([jid, value]) => {
      const job = asMap(value)
      return {
        jid,
        fun: text(job.Function),
        args: asList(job.Arguments).map(text).join(' '),
        target: Array.isArray(job.Target) ? asList(job.Target).map(text).join(',') : text(job.Target),
        user: text(job.User),
      }
    })
    .sort((a, b) => (a.jid < b.jid ? 1 : -1))
}
