// What grew from an event: reactions, their jobs, what came back, and events in turn, with times from the start.
import type { ComponentChildren } from 'preact'
import { asList, asMap, type Json, type JsonMap, text } from '../api/api.ts'
import { afterOf, stampTime } from '../parts/time.ts'

/** The answer of `event.trace`, drawn as nested lists. */
export function TraceTree({ trace }: { readonly trace: JsonMap }) {
  const root = asMap(trace.tree)
  const begun = stampTime(text(root.at))
  return (
    <>
      {trace.lost_root === true ? <p class="note">The event that began it has left the log.</p> : null}
      <ul class="tree">
        <EventNode node={root} begun={begun} asked={text(trace.asked)} />
      </ul>
      {trace.truncated === true ? <p class="note">The tree is larger than what is shown.</p> : null}
    </>
  )
}

interface NodeProps {
  readonly node: JsonMap
  readonly begun: number
  readonly asked: string
}

function EventNode({ node, begun, asked }: NodeProps) {
  const job = node.job === undefined ? undefined : asMap(node.job)
  const reactions = asList(node.reactions).map(asMap)
  const broken = asList(node.files).map(asMap)
  const events = [...asList(node.events), ...asList(job?.events)].map(asMap)
  const isBare = reactions.length + broken.length + events.length === 0 && job === undefined
  return (
    <Row
      kind="event"
      name={text(node.tag)}
      time={afterOf(begun, stampTime(text(node.at)))}
      isAsked={text(node.event) === asked}
      more={isBare ? 'led to nothing' : ''}
    >
      {broken.map((file) => (
        <Row
          kind="failed"
          key={text(file.sls)}
          name={fileName(file.sls)}
          more={text(file.message) || text(file.outcome)}
        />
      ))}
      {reactions.map((reaction) => (
        <ReactionNode key={`${text(reaction.sls)} ${text(reaction.id)}`} node={reaction} begun={begun} asked={asked} />
      ))}
      {job === undefined ? null : <Minions of={job.minions} begun={begun} />}
      {events.map((event) => (
        <EventNode key={text(event.event)} node={event} begun={begun} asked={asked} />
      ))}
    </Row>
  )
}

function ReactionNode({ node, begun, asked }: NodeProps) {
  const state = text(node.state)
  const run = node.run === undefined ? undefined : asMap(node.run)
  const failed = state === 'failed' || node.success === false || run?.success === false
  const failures = asList(node.failures).map(text)
  return (
    <Row
      kind={failed ? 'failed' : 'reaction'}
      name={`${text(node.id)}: ${text(node.call)}`}
      time={afterOf(begun, stampTime(text(node.claimed)))}
      more={[state, fileName(node.sls), text(node.reason), ...failures].filter((part) => part !== '').join(' · ')}
    >
      {node.jid === undefined ? null : (
        <Row
          kind="job"
          name={`${node.tgt === undefined ? 'run' : `job for ${text(node.tgt)}`} ${text(node.jid)}`}
          time={afterOf(begun, stampTime(text(node.started)))}
        >
          {run === undefined ? null : (
            <Row
              kind={run.success === false ? 'failed' : 'return'}
              name="return"
              time={afterOf(begun, stampTime(text(run.at)))}
              more={short(run.return)}
            />
          )}
          <Minions of={node.minions} begun={begun} />
          {asList(node.events).map((event) => (
            <EventNode key={text(asMap(event).event)} node={asMap(event)} begun={begun} asked={asked} />
          ))}
        </Row>
      )}
    </Row>
  )
}

function Minions({ of, begun }: { readonly of: Json | undefined; readonly begun: number }) {
  return (
    <>
      {Object.entries(asMap(of)).map(([id, value]) => {
        const story = asMap(value)
        const back = story.state === 'returned'
        return (
          <Row
            key={id}
            kind={!back ? 'waiting' : story.success === false ? 'failed' : 'return'}
            name={id}
            time={afterOf(begun, stampTime(text(story.at)))}
            more={back ? short(story.return) : text(story.state)}
          />
        )
      })}
    </>
  )
}

const words: Readonly<Record<string, string>> = {
  event: 'event',
  reaction: 'reaction',
  job: 'job',
  return: 'return',
  waiting: 'waits',
  failed: 'failed',
}

interface RowProps {
  readonly kind: 'event' | 'reaction' | 'job' | 'return' | 'waiting' | 'failed'
  readonly name: string
  readonly time?: string
  readonly more?: string
  readonly isAsked?: boolean
  readonly children?: ComponentChildren
}

function Row({ kind, name, time = '', more = '', isAsked = false, children }: RowProps) {
  const below = [children].flat(3).filter((child) => child !== null && child !== undefined && child !== false)
  return (
    <li>
      <div class={isAsked ? 'node asked' : 'node'}>
        <span class={`badge ${kind}`}>{words[kind]}</span>
        <span class="node-name">{name}</span>
        {time === '' ? null : <time>{time}</time>}
        {more === '' ? null : <span class="note">{more}</span>}
      </div>
      {below.length === 0 ? null : <ul>{children}</ul>}
    </li>
  )
}

function fileName(path: Json | undefined): string {
  return text(path).split('/').at(-1) ?? ''
}

function short(value: Json | undefined): string {
  const told = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return told.length > 200 ? `${told.slice(0, 200)}…` : told
}
