// The clients local, local_async, local_subset and local_batch.
import { BrineError } from '../../../core/error.ts'
import { pythonRegex, TARGET_TYPES } from '../../../core/target/index.ts'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { returnerChoice, returnersOf } from '../../returners.ts'
import type { Caller, Rights } from './caller.ts'
import { type ApiJob, type ApiJobs, type Gathered, returnsOf, type Waits } from './jobs.ts'
import { isSet, jobArguments, type Low, secondsOf, textOf } from './low.ts'
import type { ApiSettings } from './settings.ts'

/** A client: what it answers, one value or (a batch) several. Throws what becomes a page or, unexpected, a 500. */
export type Client = (low: Low, caller: Caller) => Promise<readonly Value[]>

interface LocalNeeds {
  readonly jobs: ApiJobs
  readonly rights: Rights
  readonly settings: ApiSettings
}

/** The four clients. Each asks for the caller's right before anything is sent. */
export function localClients({ jobs, rights, settings }: LocalNeeds): Readonly<Record<string, Client>> {
  const waitsOf = (low: Low): Waits => ({
    timeout: secondsOf(low, 'timeout') ?? settings.timeout,
    gatherJobTimeout: secondsOf(low, 'gather_job_timeout') ?? settings.gatherJobTimeout,
  })
  const admitted = async (low: Low, caller: Caller): Promise<ApiJob> => {
    const job = jobOf(low, caller)
    await rights.publish(caller, job)
    return job
  }

  return {
    async local(low, caller) {
      const job = await admitted(low, caller)
      return [returnsOf(await jobs.gather(job, waitsOf(low)), isSet(low, 'full_return'))]
    },

    async local_async(low, caller) {
      const { jid, minions } = await jobs.send(await admitted(low, caller))
      return [jid === '' ? {} : { jid, minions: [...minions] }]
    },

    /** Some of those that have the function, drawn at random. Finding out who has it is no call of the caller's. */
    async local_subset(low, caller) {
      const job = await admitted(low, caller)
      const { tgt, tgtType, user } = job
      const functions = { tgt, tgtType, user, fun: 'sys.list_functions', arg: [], ret: '' }
      const asked = await jobs.gather(functions, waitsOf(low))
      const wanted = Number(textOf(low, 'subset') ?? textOf(low, 'sub') ?? 3)
      if (Number.isNaN(wanted)) throw new TypeError('a subset is a number')
      const chosen = drawn(able(asked, job.fun), wanted)
      const some = { ...job, tgt: chosen, tgtType: 'list' }
      return [returnsOf(await jobs.gather(some, waitsOf(low)), isSet(low, 'full_return'))]
    },

    async local_batch(low, caller) {
      const job = await admitted(low, caller)
      const size = batchSize(textOf(low, 'batch') ?? '10%')
      const waits = waitsOf(low)
      const { tgt, tgtType, user } = job
      const pinged = await jobs.gather({ tgt, tgtType, user, fun: 'test.ping', arg: [], ret: '' }, waits)
      const left = [...pinged.loads.keys()].sort()
      const pause = secondsOf(low, 'batch_wait') ?? 0
      const answers: Value[] = []
      let failed = false
      const work = async (): Promise<void> => {
        for (let id = left.pop(); id !== undefined && !failed; id = left.pop()) {
          const gathered = await jobs.gather({ ...job, tgt: [id], tgtType: 'list', jid: undefined }, waits)
          for (const [minion, load] of gathered.loads) {
            answers.push({ [minion]: load.return ?? null })
            failed ||= isSet(low, 'failhard') && (load.retcode ?? 0) !== 0
          }
          if (pause > 0 && left.length > 0) await new Promise((resolve) => setTimeout(resolve, pause * 1000))
        }
      }
      await Promise.all(Array.from({ length: size(left.length) }, work))
      return answers
    },
  }
}

function jobOf(low: Low, caller: Caller): ApiJob {
  const tgt = low.get('tgt')
  const fun = low.get('fun')
  if (tgt === undefined || (typeof fun !== 'string' && !isList(fun))) throw new TypeError('a job needs tgt and fun')
  const metadata = low.get('metadata')
  const jid = textOf(low, 'jid')
  // `expr_form` is the name it had before 2017.7.
  const tgtType = textOf(low, 'tgt_type') ?? textOf(low, 'expr_form') ?? 'glob'
  const known = TARGET_TYPES.some((type) => type === tgtType) && (tgtType !== 'pcre' || isPattern(tgt))
  return {
    // Nothing, whatever has a type there is not, and a pattern that is none mean nobody.
    tgt: tgt === null || !known ? '' : isList(tgt) ? tgt.map(pythonStr) : pythonStr(tgt),
    tgtType: known ? tgtType : 'glob',
    fun: isList(fun) ? fun.map(pythonStr) : pythonStr(fun),
    arg: jobArguments(low),
    ret: returnersOf(low.get('ret')),
    returner: returnerChoice(low.get('ret_config'), low.get('ret_kwargs')),
    user: caller.name,
    jid: jid === undefined || jid === '' ? undefined : jid,
    ...(metadata !== undefined && isMapping(metadata) ? { metadata } : {}),
  }
}

function isPattern(tgt: Value): boolean {
  try {
    return pythonRegex(pythonStr(tgt)) instanceof RegExp
  } catch (error) {
    if (error instanceof BrineError && error.code === 'regex') return false
    throw error
  }
}

function able({ loads }: Gathered, fun: string | string[]): string[] {
  const has = (functions: Value | undefined): boolean =>
    isList(functions) && (isList(fun) ? fun : [fun]).every((name) => functions.includes(name))
  return [...loads].filter(([, load]: [string, Mapping]) => has(load.return)).map(([id]) => id)
}

/** At least one, where there is one. */
function drawn(ids: readonly string[], wanted: number): string[] {
  const pool = [...ids]
  const chosen: string[] = []
  while (pool.length > 0 && chosen.length < Math.max(1, wanted))
    chosen.push(...pool.splice(Math.floor(Math.random() * pool.length), 1))
  return chosen
}

/** `3` or `25%`, as the number that run at a time. */
function batchSize(text: string): (minions: number) => number {
  const percent = /^%?(\d+(?:\.\d+)?)%?$/.exec(text)
  const number = Number(percent?.[1])
  if (percent === null || number <= 0) throw new TypeError(`a batch is a number or a share, not ${text}`)
  return (minions) => {
    if (!text.includes('%')) return Math.max(1, Math.floor(number))
    const share = (number / 100) * minions
    return share < 1 ? Math.ceil(share) : Math.floor(share)
  }
}
