// The one gate for what a user calls: functions on minions, runners and wheel functions, with their arguments.
import { splitKwargs } from '../../core/arguments/index.ts'
import type { MinionId } from '../../core/event/event.ts'
import { get, has, isList, type Mapping, type Value } from '../../core/value/index.ts'
import type { ArgumentRule, FunctionRule, Grant } from './grants.ts'
import { allows, allowsArgument } from './pattern.ts'

/** A job as somebody asks for it. With several functions, `arg` is a list for each. */
export interface WantedJob {
  readonly fun: string | readonly string[]
  readonly arg: readonly Value[]
  /** The minions of its target; asked for only where a grant names some. */
  minions(): Promise<readonly MinionId[]>
}

/** The minions of a compound target. */
export type ResolveGrant = (target: string) => Promise<readonly MinionId[]>

/** Who has nothing to lose by it: asking whether a job still runs. */
const always = new Set(['saltutil.find_job'])

/**
 * Whether the grants allow the job: each of its functions (Salt asks for one of them), on each of its minions by one and
 * the same grant. Arguments are judged as the minion will read them: a text `key=value` is a keyword.
 */
export async function mayPublish(grants: readonly Grant[], job: WantedJob, resolve: ResolveGrant): Promise<boolean> {
  const several = typeof job.fun !== 'string'
  const funs = typeof job.fun === 'string' ? [job.fun] : job.fun
  if (funs.length === 0) return false
  for (const [index, fun] of funs.entries()) {
    const own = several ? job.arg[index] : job.arg
    if (!(await mayPublishOne(grants, fun, isList(own) ? own : [], job, resolve))) return false
  }
  return true
}

async function mayPublishOne(
  grants: readonly Grant[],
  fun: string,
  arg: readonly Value[],
  job: WantedJob,
  resolve: ResolveGrant,
): Promise<boolean> {
  if (always.has(fun)) return true
  if (grants.some((grant) => grant.kind === 'everywhere' && allows(grant.fun, fun))) return true
  const call = splitKwargs(arg)
  for (const grant of grants) {
    if (grant.kind !== 'target' || !grant.functions.some((rule) => fits(rule, fun, call.arg, call.kwarg))) continue
    const granted = new Set(await resolve(grant.target))
    if ((await job.minions()).every((id) => granted.has(id))) return true
  }
  return false
}

/** A runner or wheel function as somebody asks for it. */
export interface WantedRun {
  readonly client: 'runner' | 'wheel'
  readonly fun: string
  readonly arg: readonly Value[]
  readonly kwarg: Mapping
}

/** `syntax`: the function's name has not the form `module.function`. */
export type RunVerdict = 'allowed' | 'denied' | 'syntax'

/** Whether the grants allow the run: `@runner`, `@runners` (`@wheel`, `@wheels`) or `@<module>`, narrowed by what stands under it. */
export function mayRun(grants: readonly Grant[], run: WantedRun): RunVerdict {
  if (grants.length === 0) return 'denied'
  const [module = '', name = '', ...more] = run.fun.split('.')
  if (name === '' || more.length > 0) return 'syntax'
  const allowed = grants.some((grant) => {
    if (grant.kind !== 'special') return false
    const whole = grant.name === run.client || grant.name === `${run.client}s`
    if (!whole && grant.name !== module) return false
    if (grant.functions === undefined) return true
    return grant.functions.some(
      (rule) =>
        (whole && fits(rule, run.fun, run.arg, run.kwarg)) ||
        (grant.name === module && fits(rule, name, run.arg, run.kwarg)),
    )
  })
  return allowed ? 'allowed' : 'denied'
}

function fits(rule: FunctionRule, fun: string, arg: readonly Value[], kwarg: Mapping): boolean {
  if (!allows(rule.fun, fun)) return false
  return rule.rules === undefined || rule.rules.some((one) => fitsArguments(one, arg, kwarg))
}

function fitsArguments({ args, kwargs }: ArgumentRule, arg: readonly Value[], kwarg: Mapping): boolean {
  return (
    args.every((pattern, index) => index < arg.length && allowsArgument(pattern, arg[index] ?? null)) &&
    kwargs.every(([name, pattern]) => has(kwarg, name) && allowsArgument(pattern, get(kwarg, name) ?? null))
  )
}
