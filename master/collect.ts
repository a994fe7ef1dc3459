// Collecting: what minions send (events, returns, grains) becomes events, once.
import { derivedEventId } from '../core/event/derived-id.ts'
import type { Cause, MinionId } from '../core/event/event.ts'
import { REPLAY_MARK } from '../core/event/replay-mark.ts'
import type { MinionEvent, Return } from '../core/protocol/index.ts'
import { entries, get, isMap, isMapping, type Mapping, pythonStr } from '../core/value/index.ts'
import type { Draft, Fire } from './fire.ts'
import type { Audit, Clock, JobRecord, JobStore, Mailbox, MinionStore, WriteOrder } from './ports.ts'
import { firingRefusal, type Principal } from './principal.ts'

type Minion = Extract<Principal, { kind: 'minion' }>

/** What was not taken, and why; everything else is durable. */
export interface Collected {
  readonly accepted: number
  readonly refused: readonly { readonly id: string; readonly reason: string }[]
}

/** The three things a minion sends. Each is safe to repeat. */
export interface Collect {
  events(minion: Minion, events: readonly MinionEvent[]): Promise<Collected>
  returns(minion: Minion, returns: readonly Return[]): Promise<Collected>
  refresh(minion: Minion, grains: Mapping, version: string | undefined): Promise<void>
}

interface CollectPorts {
  readonly jobs: JobStore
  readonly mailbox: Mailbox
  readonly minions: MinionStore
  readonly audit: Audit
  readonly writes: WriteOrder
  readonly clock: Clock
}

/** Fields only the master writes; what a minion puts there is dropped. */
const reserved = new Set(['_stamp', 'ts', 'user', 'identity', REPLAY_MARK])

/** Functions whose failed states fire events of their own, as in Salt; `state.apply` is not among them. */
const stateFunctions = new Set(['state.highstate', 'state.sls'])

/** Joins the ports to {@link Collect}. */
export function createCollect(ports: CollectPorts, fire: Fire): Collect {
  const seconds = (): number => Math.floor(ports.clock.now() / 1_000_000)
  return {
    async events(minion, events) {
      const refused: { id: string; reason: string }[] = []
      const drafts: Draft[] = []
      for (const event of events) {
        const reason = firingRefusal(minion, event.tag)
        if (reason === undefined) drafts.push(await eventDraft(ports.jobs, minion, event, seconds()))
        else refused.push({ id: event.id, reason })
      }
      if (refused.length > 0) {
        const tags = events.filter((event) => refused.some(({ id }) => id === event.id)).map((event) => event.tag)
        await ports.audit.record({
          at: ports.clock.now(),
          who: `minion ${minion.id}`,
          what: 'event refused',
          detail: { tags },
        })
      }
      await Promise.all([fire(...drafts), ports.minions.seen(minion.id, ports.clock.now())])
      return { accepted: drafts.length, refused }
    },

    async returns(minion, returns) {
      const jobs = await Promise.all(returns.map(({ jid }) => ports.jobs.get(jid)))
      const refused: { id: string; reason: string }[] = []
      const taken: Taken[] = []
      for (const [index, ret] of returns.entries()) {
        const job = jobs[index]
        const reason = returnRefusal(minion, ret, job)
        if (reason === undefined) {
          const load = job === undefined ? ownLoad(minion.id, ret, seconds()) : jobLoad(minion.id, ret, job, seconds())
          taken.push({ ret, load, cause: job?.cause })
        } else {
          refused.push({ id: ret.id, reason })
          await ports.audit.record({
            at: ports.clock.now(),
            who: `minion ${minion.id}`,
            what: 'return refused',
            detail: { jid: ret.jid, reason },
          })
        }
      }
      if (taken.length > 0) await take(ports, fire, minion, taken)
      return { accepted: taken.length, refused }
    },

    async refresh(minion, grains, version) {
      const at = ports.clock.now()
      await Promise.all([
        ports.minions.saveGrains(minion.id, { ...grains, id: minion.id }, version, at),
        ports.minions.seen(minion.id, at),
      ])
      await fire({ tag: `minion/refresh/${minion.id}`, data: { 'Minion data cache refresh': minion.id } })
    },
  }
}

/** A minion's event as the bus carries it: its id overwritten, its cause from the job that made it. */
async function eventDraft(jobs: JobStore, minion: Minion, event: MinionEvent, ts: number): Promise<Draft> {
  const data: Mapping = {}
  for (const [key, value] of entries(event.data)) if (!reserved.has(String(key))) data[String(key)] = value
  data.id = minion.id
  if (isMapping(data.data) && event.tag.startsWith(`salt/beacon/${minion.id}/`))
    data.data = { ...data.data, id: minion.id }
  data.ts = ts
  return {
    tag: event.tag,
    data,
    source: 'minion',
    id: event.id,
    key: keyOf(minion),
    cause: await causeFromJob(jobs, minion, data),
  }
}

/** The epoch of the minion's key, as events carry it. */
function keyOf(minion: { readonly id: MinionId; readonly epoch: number }): string {
  return `${minion.id}@${minion.epoch}`
}

/** `event.send` names its job in `__pub_jid`. It counts only where the master sent that job to this very minion. */
async function causeFromJob(jobs: JobStore, minion: Minion, data: Mapping): Promise<Cause | undefined> {
  const jid = isMapping(data.data) ? data.data.__pub_jid : data.jid
  if (typeof jid !== 'string') return undefined
  const job = await jobs.get(jid)
  return job?.minions.includes(minion.id) === true ? job.cause : undefined
}

function returnRefusal(minion: Minion, ret: Return, job: JobRecord | undefined): string | undefined {
  if (job === undefined) {
    return ret.tgt === undefined
      ? `no job ${ret.jid} is known here: it may have been dropped after keep_jobs`
      : undefined
  }
  return job.minions.includes(minion.id) ? undefined : `job ${ret.jid} was not sent to minion ${minion.id}`
}

/** A return that is accepted. */
interface Taken {
  readonly ret: Return
  readonly load: Mapping
  readonly cause: Cause | undefined
}

/** Stores and fires all of a batch together, so that a store which groups writes flushes once for it, not thrice for each. */
async function take(ports: CollectPorts, fire: Fire, minion: Minion, taken: readonly Taken[]): Promise<void> {
  const at = ports.clock.now()
  // Fired even for a repeat: the master may have died between storing it and firing. The log drops the second. Where firing
  // fails although the mailbox is settled, the minion still has the return and sends it again.
  const isAnswer = ({ load }: Taken): boolean => load.fun === 'saltutil.find_job'
  const add = (some: readonly Taken[]) =>
    Promise.all(some.map(({ ret, load }) => ports.jobs.addReturn(ret.jid, { id: minion.id, at, load })))
  await ports.writes.inOrder(
    () => add(taken.filter((each) => !isAnswer(each))),
    // That it is not at a job any more is known behind the return of that job.
    () => add(taken.filter(isAnswer)),
    () =>
      Promise.all([
        fire(...taken.flatMap(({ ret, load, cause }) => returnEvents(minion, ret, load, cause))),
        ports.minions.seen(minion.id, at),
        ...taken.map(({ ret }) => ports.mailbox.settle(minion.id, ret.jid)),
      ]),
  )
}

function jobLoad(id: MinionId, ret: Return, job: JobRecord, ts: number): Mapping {
  return {
    cmd: '_return',
    id,
    success: ret.success ?? ret.retcode === 0,
    return: ret.return,
    retcode: ret.retcode,
    ...(ret.out === undefined ? {} : { out: ret.out }),
    jid: ret.jid,
    fun: job.fun,
    fun_args: ret.fun_args,
    user: job.user,
    ...(job.metadata === undefined ? {} : { metadata: job.metadata }),
    ...(ret.interrupted === true ? { interrupted: true } : {}),
    ts,
  }
}

/** What a minion ran by itself: no `user`; `brine-call` says no `success`, the schedule says its job's name. */
function ownLoad(id: MinionId, ret: Return, ts: number): Mapping {
  return {
    cmd: '_return',
    id,
    jid: ret.jid,
    return: ret.return,
    retcode: ret.retcode,
    ...(ret.success === undefined ? {} : { success: ret.success }),
    ...(ret.out === undefined ? {} : { out: ret.out }),
    ...(ret.schedule === undefined ? {} : { schedule: ret.schedule }),
    ...(ret.pid === undefined ? {} : { pid: ret.pid }),
    ...(ret.metadata === undefined ? {} : { metadata: ret.metadata as Mapping }),
    fun: ret.fun,
    fun_args: ret.fun_args,
    ts,
    arg: ret.arg ?? ret.fun_args,
    tgt_type: ret.tgt_type ?? 'glob',
    tgt: ret.tgt ?? id,
  }
}

function returnEvents(minion: Minion, ret: Return, load: Mapping, cause: Cause | undefined): Draft[] {
  const common = { source: 'minion' as const, key: keyOf(minion), cause }
  const drafts: Draft[] = [
    {
      ...common,
      tag: `salt/job/${ret.jid}/ret/${minion.id}`,
      data: load,
      id: derivedEventId(ret.jid, `ret/${minion.id}`),
    },
  ]
  for (const fun of Array.isArray(load.fun) ? load.fun.map(pythonStr) : [ret.fun]) {
    const returned =
      Array.isArray(load.fun) && isMap(load.return ?? null) ? get(load.return as Mapping, fun) : load.return
    if (ret.retcode === 0 || !stateFunctions.has(fun) || returned === undefined || !isMap(returned)) continue
    for (const [tag, state] of entries(returned)) {
      if (typeof tag !== 'string' || !isMapping(state) || state.result !== false) continue
      const parts = tag.split('_|-')
      const name = `${parts[0]}.${parts.at(-1)}`
      const failed: Mapping = { ...state, retcode: ret.retcode }
      const error = {
        ...failed,
        jid: ret.jid,
        id: minion.id,
        success: false,
        return: `Error: ${name}`,
        fun,
        ...(load.user === undefined ? {} : { user: load.user }),
      }
      const part = `${minion.id}/${fun}/${tag}`
      drafts.push({
        ...common,
        source: 'master',
        tag: name,
        data: failed,
        id: derivedEventId(ret.jid, `state/${part}`),
      })
      drafts.push({
        ...common,
        source: 'master',
        tag: `salt/job/${ret.jid}/sub/${minion.id}/error/${fun}`,
        data: error,
        id: derivedEventId(ret.jid, `sub/${part}`),
      })
    }
  }
  return drafts
}
