// One orchestration: its steps as a tree of what waits for what, live, with the ways to hold or end it.
import { useEffect, useState } from 'preact/hooks'
import { asList, asMap, type JsonMap, messageOf, text } from '../api/api.ts'
import { useAsked, useMaster } from '../api/use.ts'
import { type Question, useConfirm } from '../parts/confirm.tsx'
import { useHeading } from '../parts/focus.ts'
import { Progress } from '../parts/progress.tsx'
import { Answer, Problem } from '../parts/states.tsx'
import { StatusBadge } from '../parts/status-badge.tsx'
import { agoOf, stampTime } from '../parts/time.ts'

const OPEN = new Set(['running', 'paused'])

interface DetailProps {
  readonly jid: string
  readonly changed: () => void
  readonly close: () => void
}

/** The panel. */
export function OrchestrationDetail({ jid, changed, close }: DetailProps) {
  const { api } = useMaster()
  const heading = useHeading()
  const asked = useAsked(async (each) => asMap(await each.runner('orch.show', [jid])), [jid])
  const [ask, dialog] = useConfirm(asked.reload)
  const [problem, setProblem] = useState<string>()
  const status = text(asked.value?.status)
  const isOpen = OPEN.has(status)
  const { reload } = asked
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(reload, 1500)
    return () => clearInterval(timer)
  }, [isOpen, reload])
  useEffect(changed, [status])
  const tell = async (fun: string): Promise<void> => {
    setProblem(undefined)
    await api.runner(fun, [jid]).catch((error: unknown) => setProblem(messageOf(error)))
    reload()
    changed()
  }
  const cancel: Question = {
    title: 'Cancel this orchestration?',
    text: 'Nothing more of it starts. Jobs that run already are waited for.',
    verb: 'Cancel it',
    danger: true,
    run: () => api.runner('orch.cancel', [jid]),
  }
  return (
    <section class="panel" aria-label="Orchestration" onKeyDown={(key) => key.key === 'Escape' && close()}>
      <header class="bar">
        <h2 ref={heading} tabIndex={-1} class="grow mono">
          {text(asked.value?.mods) || jid}
        </h2>
        {status === 'running' ? (
          <button type="button" onClick={() => void tell('state.pause')}>
            Pause
          </button>
        ) : null}
        {status === 'paused' ? (
          <button type="button" onClick={() => void tell('orch.resume')}>
            Resume
          </button>
        ) : null}
        {isOpen ? (
          <button type="button" class="danger" onClick={() => ask(cancel)}>
            Cancel
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      {problem === undefined ? null : <Problem what={problem} />}
      <Answer asked={asked}>
        {(orchestration) => {
          const steps = asList(orchestration.steps).map(asMap)
          return (
            <>
              <p class="note">
                <StatusBadge status={status} failed={Number(orchestration.failed ?? 0)} /> by {text(orchestration.user)}
                , {agoOf(stampTime(text(orchestration.started)))} · jid {jid}
              </p>
              <Progress
                label="Steps that have ended"
                done={Number(orchestration.ended ?? 0)}
                failed={Number(orchestration.failed ?? 0)}
                all={steps.length}
              />
              <ul class="tree">
                {firstOf(steps).map((step) => (
                  <Step key={text(step.id)} step={step} steps={steps} above={[]} />
                ))}
              </ul>
            </>
          )
        }}
      </Answer>
      {dialog}
    </section>
  )
}

const BADGES: Readonly<Record<string, string>> = { done: 'good', failed: 'bad', 'not run': 'bad', skipped: '' }

interface StepProps {
  readonly step: JsonMap
  readonly steps: readonly JsonMap[]
  readonly above: readonly string[]
}

function Step({ step, steps, above }: StepProps) {
  const id = text(step.id)
  const state = text(step.state)
  const seconds = Number(step.seconds)
  const below = steps.filter((other) => lastNeed(other, steps) === id && !above.includes(text(other.id)))
  return (
    <li>
      <div class="node">
        <span class={`badge ${BADGES[state] ?? 'warn'}`}>{state}</span>
        <span class="node-name">{id}</span>
        <span class="note mono inline">
          {text(step.fun)} {text(step.name) === id ? '' : text(step.name)}
        </span>
        {Number.isNaN(seconds) ? null : <time>{seconds.toFixed(1)} s</time>}
        {text(step.comment) === '' ? null : <span class="note">{text(step.comment)}</span>}
        {asList(step.jids).length === 0 ? null : (
          <span class="note">
            {asList(step.jids).map((jid) => (
              <a key={text(jid)} href={`#/jobs/${text(jid)}`} class="mono">
                {text(jid)}{' '}
              </a>
            ))}
            {asList(step.minions).length === 0 ? '' : `on ${asList(step.minions).map(text).join(', ')}`}
          </span>
        )}
      </div>
      {below.length === 0 ? null : (
        <ul>
          {below.map((other) => (
            <Step key={text(other.id)} step={other} steps={steps} above={[...above, id]} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The steps that wait for none of the others. */
function firstOf(steps: readonly JsonMap[]): readonly JsonMap[] {
  return steps.filter((step) => lastNeed(step, steps) === undefined)
}

/** Of the steps that this one waits for, the one that stands last: below that it is drawn. */
function lastNeed(step: JsonMap, steps: readonly JsonMap[]): string | undefined {
  const needs = new Set(asList(step.after).map((need) => text(need).replace(/^\S+ /, '')))
  const own = text(step.id)
  return steps
    .map(({ id }) => text(id))
    .filter((id) => id !== own && needs.has(id))
    .at(-1)
}
