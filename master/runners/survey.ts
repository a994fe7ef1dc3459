// The `survey` runner: what the minions of a target return, told by those who return the same.
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { splitLines } from '../../core/value/python-lines.ts'
import { unifiedDiff } from '../../core/value/unified-diff.ts'
import type { Execute } from '../execute.ts'
import { withKeywords } from '../executor.ts'
import { type BoundArguments, type MasterFunction, MisuseError, type RunContext } from '../run.ts'
import { docOf } from './runner-doc.ts'

interface SurveyNeeds {
  readonly execute: Execute
  readonly timeout: number
}

/** Minions whose returns are the same text. */
interface Pool {
  readonly pool: string[]
  readonly result: string
}

/** Functions of the `survey` runner. */
export function surveyRunner({ execute, timeout }: SurveyNeeds): Record<string, MasterFunction> {
  const poolsOf = async ({ positional, rest }: BoundArguments, context: RunContext): Promise<Pool[]> => {
    const [tgt, fun, ...arg] = positional
    if (tgt === undefined || fun === undefined) throw new MisuseError('a target and a function have to be named')
    const { survey_sort: sort = 'down', tgt_type: type = 'compound', ...others } = rest
    const kwargs = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('_')))
    const { returns } = await execute({
      tgt,
      // Salt takes any other for compound.
      tgtType: type === 'pcre' ? 'pcre' : 'compound',
      fun: pythonStr(fun),
      arg: withKeywords(arg, kwargs),
      timeout,
      user: context.user,
      cause: context.cause,
      print: context.print,
    })
    return pooled(returns, sort !== 'up')
  }
  const survey = (what: string, lines: readonly string[], run: MasterFunction['run']): MasterFunction => ({
    signature: { params: [], varArgs: true, varKwargs: true },
    doc: docOf(what, lines),
    run,
  })

  return {
    'survey.hash': survey(
      `Run a function on the minions of a compound target, and return what they return, those who return the same together:
    the most first, or with survey_sort=up last.`,
      ["survey.hash '*' pkg.version openssl", "survey.hash survey_sort=up 'G@role:web' cmd.run 'cat /etc/hosts'"],
      async (bound, context) => (await poolsOf(bound, context)).map(told),
    ),
    'survey.diff': survey(
      'As survey.hash, and print how what the others return differs from what the first do.',
      ["survey.diff '*' cp.get_file_str file:///etc/hosts"],
      async (bound, context) => {
        const pools = await poolsOf(bound, context)
        const [first] = pools
        for (const pool of pools) if (first !== undefined) printPool(pool, first, context)
        return pools.map(told)
      },
    ),
  }
}

function told({ pool, result }: Pool): Value {
  return { pool, result }
}

/** By the text of what they returned; of pools of one size the one with the first name. */
function pooled(returns: ReadonlyMap<string, Mapping>, isMostFirst: boolean): Pool[] {
  const pools = new Map<string, Pool>()
  for (const [id, load] of [...returns].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const result = pythonStr(load.return ?? null)
    const known = pools.get(result)
    if (known === undefined) pools.set(result, { pool: [id], result })
    else known.pool.push(id)
  }
  const direction = isMostFirst ? -1 : 1
  return [...pools.values()].sort((a, b) => direction * (a.pool.length - b.pool.length))
}

function printPool({ pool, result }: Pool, first: Pool, { print }: RunContext): void {
  print(`minion pool :\n------------\n${pythonStr(pool)}\npool size :\n----------\n    ${pool.length}`)
  if (pool === first.pool) {
    print(`pool result :\n------------\n    ${result}\n`)
    return
  }
  const [name = ''] = first.pool
  const title = `differences from "${name}" results :`
  const lines = (text: string): string[] => splitLines(text).map((line) => `${line}\n`)
  const options = { names: [name, pool[0] ?? ''], context: 0 } as const
  print(
    `${title}\n${'-'.repeat(title.length - 1)}\n${unifiedDiff(lines(first.result), lines(result), options).join('')}\n`,
  )
}
