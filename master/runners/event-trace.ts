// `event.trace`: the tree that grew from one event, over reactions, jobs and returns, across minions, with times.
import { derivedEventId } from '../../core/event/derived-id.ts'
import type { Event, EventId, Jid } from '../../core/event/event.ts'
import { get, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import {
  createReactorSet,
  explain,
  type Ledger,
  type ReactionExplanation,
  type ReactorSet,
} from '../../reaction/index.ts'
import type { ConfigStore } from '../ports.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { findEvent } from './find-event.ts'
import { knownFields } from './known-fields.ts'
import { minionStories, reactionStory, type StoryNeeds } from './reaction-story.ts'
import { aboutEvent } from './reactor-explain.ts'

/** What tracing needs. */
export interface TraceNeeds extends StoryNeeds {
  readonly config: ConfigStore
  readonly ledger: Ledger
}

/** Events of one tree: what lies beyond is told as `truncated`. */
const MOST_EVENTS = 5_000

/** The function. */
export function eventTraceRunner(needs: TraceNeeds): Record<string, MasterFunction> {
  return {
    'event.trace': {
      signature: { params: [{ name: 'event' }] },
      doc: `    Draw what grew from an event: reactions, jobs, returns and the events that they fired in turn

    The event is named by its id, by the jid of a job or run, or by its tag (then the newest with that tag is meant). The
    tree begins at the event outside that started it all, wherever in the tree the named one stands.

    CLI Example:

    .. code-block:: bash

        brine-run event.trace 01KC3VZ8Y2Q5B7N9M4X6T1R0WA
        brine-run event.trace 20260131091500123456
        brine-run event.trace salt/auth --out json
`,
      readOnly: true,
      idempotent: true,
      out: 'event_trace',
      run: async ({ named }) => traced(needs, pythonStr(named.event ?? '')),
    },
  }
}

async function traced(needs: TraceNeeds, wanted: string): Promise<Value> {
  const asked = await findEvent(needs, wanted)
  if (asked === undefined) {
    throw new RunError(
      `There is no event ${wanted} in the log: it takes an event's id, a jid, or a tag. What is older than event_keep_seconds is gone.`,
    )
  }
  const found = await needs.log.find(asked.cause?.root ?? asked.id)
  const root = found?.event ?? asked
  const children = new Map<EventId, Event[]>()
  const { events, truncated } = await needs.log.ledBy(root.id, MOST_EVENTS)
  for (const event of events) {
    const parent = event.cause?.parent ?? root.id
    children.set(parent, [...(children.get(parent) ?? []), event])
  }
  const tree = new Tree(needs, createReactorSet(await needs.config.reactors()), children)
  return knownFields({
    root: root.id,
    asked: asked.id,
    events: events.length + 1,
    truncated: truncated ? true : undefined,
    lost_root: found === undefined ? true : undefined,
    tree: await tree.eventNode(root),
  })
}

/** The parts of a job's or run's tree that its own events tell; they are shown with the job, not as events. */
type Part = 'start' | 'return' | undefined

class Tree {
  readonly #needs: TraceNeeds
  readonly #reactors: ReactorSet
  readonly #children: ReadonlyMap<EventId, readonly Event[]>

  constructor(needs: TraceNeeds, reactors: ReactorSet, children: ReadonlyMap<EventId, readonly Event[]>) {
    this.#needs = needs
    this.#reactors = reactors
    this.#children = children
  }

  /** An event, what it led to, and what grew from that. */
  async eventNode(event: Event): Promise<Mapping> {
    const { id, tag } = event
    const [stored, ledger] = await Promise.all([this.#needs.ledger.plan(id), this.#needs.ledger.entries(id)])
    const { files } = explain({ event, reactors: this.#reactors, stored, ledger })
    const children = this.#children.get(id) ?? []
    const taken = new Set<Event>()
    const reactions: Mapping[] = []
    for (const file of files) {
      for (const reaction of file.reactions) {
        const own = children.filter((child) => reaction.jid !== undefined && child.cause?.jid === reaction.jid)
        for (const child of own) taken.add(child)
        reactions.push({ sls: file.name, ...(await this.#reactionNode(reaction, own)) })
      }
    }
    const broken = files.flatMap(({ name, glob, outcome, error }) =>
      error === undefined ? [] : [{ sls: name, glob, outcome, ...error }],
    )
    const rest = await Promise.all(children.filter((child) => !taken.has(child)).map((child) => this.eventNode(child)))
    return knownFields({
      event: id,
      tag,
      ...aboutEvent(event),
      error: tag.startsWith('brine/reactor/') ? get(event.data, 'error') : undefined,
      job: await this.#ownJob(event),
      reactions: reactions.length === 0 ? undefined : reactions,
      files: broken.length === 0 ? undefined : broken,
      events: rest.length === 0 ? undefined : rest,
    })
  }

  async #reactionNode(reaction: ReactionExplanation, own: readonly Event[]): Promise<Mapping> {
    const story = await reactionStory(this.#needs, reaction)
    const returns = new Map<string, Event>()
    const others: Mapping[] = []
    for (const event of own) {
      const { part, minion } = partOf(event, reaction.jid ?? '')
      const node = await this.eventNode(event)
      if (part === 'return' && minion !== undefined) returns.set(minion, event)
      if (part === undefined || grew(node)) others.push(node)
    }
    return knownFields({
      ...story,
      minions: isMap(story.minions ?? null) ? withEvents(story.minions as Mapping, returns) : undefined,
      events: others.length === 0 ? undefined : others,
    })
  }

  /** A job that a person published has no cause: its returns are found by their jid. */
  async #ownJob({ tag, data, cause }: Event): Promise<Mapping | undefined> {
    const jid = /^salt\/job\/([^/]+)\/new$/.exec(tag)?.[1]
    if (jid === undefined || cause !== undefined) return undefined
    const minions = get(data, 'minions')
    const ids = Array.isArray(minions) ? minions.map(pythonStr) : []
    const grown: Mapping[] = []
    for (const id of ids) {
      const event = (await this.#needs.log.find(derivedEventId(jid, `ret/${id}`)))?.event
      const node = event === undefined ? undefined : await this.eventNode(event)
      if (node !== undefined && grew(node)) grown.push(node)
    }
    return knownFields({
      jid,
      fun: get(data, 'fun'),
      minions: await minionStories(this.#needs, jid, ids),
      events: grown.length === 0 ? undefined : grown,
    })
  }
}

function grew(node: Mapping): boolean {
  return node.reactions !== undefined || node.events !== undefined || node.files !== undefined
}

function withEvents(minions: Mapping, returns: ReadonlyMap<string, Event>): Mapping {
  return Object.fromEntries(
    Object.entries(minions).map(([id, story]) => {
      const event = returns.get(id)
      return [id, event === undefined || !isMap(story) ? story : { ...(story as Mapping), event: event.id }]
    }),
  )
}

function partOf({ tag }: Event, jid: Jid): { readonly part: Part; readonly minion?: string } {
  if (tag === jid) return { part: 'start' }
  const [, of = '', what = '', minion] =
    /^salt\/(?:job|run|wheel)\/([^/]+)\/(new|publish|ret)(?:\/(.+))?$/s.exec(tag) ?? []
  if (of !== jid) return { part: undefined }
  return { part: what === 'ret' ? 'return' : 'start', ...(minion === undefined ? {} : { minion }) }
}
