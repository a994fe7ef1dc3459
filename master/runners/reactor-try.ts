// `reactor.test` and `reactor.lint`: what the reactor would do, and what would surprise about it, without an event.
import type { Signature } from '../../core/arguments/index.ts'
import { messageOf } from '../../core/error.ts'
import type { Event } from '../../core/event/event.ts'
import { stampOf } from '../../core/event/stamp.ts'
import { loadYaml } from '../../core/render/index.ts'
import { trialValue } from '../../core/sls/index.ts'
import type { FunctionClient, LintProblem } from '../../core/sls/lint/index.ts'
import { type Dict, isMap, type Mapping, pythonStr, type Value, withEntry } from '../../core/value/index.ts'
import type { Answers, RenderFile } from '../../reaction/index.ts'
import { createReactorSet, explainEntry } from '../../reaction/index.ts'
import type { Clock, ConfigStore, EventLog, StoredReactorSet } from '../ports.ts'
import { type FunctionTable, type MasterFunction, RunError } from '../run.ts'
import type { RunTables } from '../run-events.ts'
import { tryEvent } from '../try-event.ts'
import { isEventId } from './find-event.ts'
import { knownFields } from './known-fields.ts'

/** What trying and linting need. */
export interface ReactorTryNeeds {
  readonly config: ConfigStore
  readonly clock: Clock
  readonly log: EventLog
  readonly render: () => Promise<RenderFile>
  readonly answers: Answers
  readonly tables: RunTables
  /** The functions minions have, for the linter; loaded when it is used. */
  readonly minionFunctions: () => Promise<ReadonlyMap<string, Signature>>
}

/** The two functions. */
export function reactorTryRunner(needs: ReactorTryNeeds): Record<string, MasterFunction> {
  return {
    'reactor.test': {
      signature: { params: [{ name: 'tag' }, { name: 'data', default: null }] },
      doc: `    Render and compile what would run for an event, without running anything

    Told are, file by file, the text it renders to, its reactions with the calls they are, or the error with its place.
    The data is the event's as templates see it: what a minion sends with event.send stands below \`data\` there. In place
    of a tag the id of an event in the log may be given; its data is taken where none is given. With \`-\` for the data
    the command reads it from standard input, as JSON or YAML.

    CLI Example:

    .. code-block:: bash

        brine-run reactor.test salt/auth '{"id": "web-asg-1", "act": "pend"}'
        brine-run reactor.test salt/auth - < event.json
        brine-run reactor.test 01KC3VZ8Y2Q5B7N9M4X6T1R0WA
`,
      // Not for templates: one that tried its own event would never end.
      idempotent: true,
      out: 'reactor_test',
      run: async ({ named }) => tested(needs, pythonStr(named.tag ?? ''), named.data ?? null),
    },
    'reactor.lint': {
      signature: { params: [], varArgs: true },
      doc: `    Find what would surprise about the reactor set in force

    Globs that match nothing or their own reactions, files that are not there, Jinja and YAML that do not parse, unknown
    functions and arguments, \`args: [x]\`, event data in a command line without \`quote\`. Files may be named by the end
    of their path. Fails where there is an error; what works and surprises is a warning.

    CLI Example:

    .. code-block:: bash

        brine-run reactor.lint
        brine-run reactor.lint auth.sls highstate.sls
`,
      readOnly: true,
      idempotent: true,
      out: 'reactor_lint',
      async run({ positional }) {
        const set = await needs.config.reactors()
        const found = await lintSet(set, positional.map(pythonStr), {
          runner: signaturesOf(needs.tables.runner()),
          wheel: signaturesOf(needs.tables.wheel()),
          local: await needs.minionFunctions(),
        })
        if (!found.problems.some(({ severity }) => severity === 'error')) return lintValue(found)
        throw new RunError('the reactor set has errors', lintValue(found))
      },
    },
  }
}

async function tested(needs: ReactorTryNeeds, wanted: string, given: Value): Promise<Value> {
  const logged = isEventId(wanted) ? (await needs.log.find(wanted))?.event : undefined
  const data = given === null ? (logged?.data ?? {}) : dataOf(given)
  const event: Event = {
    id: logged?.id ?? needs.clock.eventId(),
    tag: logged?.tag ?? wanted,
    data: withEntry(data, '_stamp', stampOf(needs.clock.now())),
    source: logged?.source ?? 'custom',
  }
  if (event.tag === '') throw new RunError('reactor.test takes the tag of an event, or the id of one in the log.')
  const reactors = createReactorSet(await needs.config.reactors())
  const files = reactors.matching(event)
  const signatures = (client: 'runner' | 'wheel', fun: string) => needs.tables[client]().get(fun)?.signature
  const trial = await tryEvent({ render: await needs.render(), answers: needs.answers, signatures }, event, files)
  const missed = reactors.entries.map((entry) => explainEntry(entry, event)).filter(({ matched }) => !matched)
  return knownFields({
    tag: event.tag,
    files: trialValue(trial),
    order: trial.files.length > 1 ? trial.chunks.map(({ chunk }) => chunk.id) : undefined,
    unmatched: missed.map(({ glob, reason = '' }) => ({ glob, reason })),
  })
}

/** A map as it is; text, as it came from standard input, is read as YAML, of which JSON is a part. */
function dataOf(given: Value): Mapping | Dict {
  const data = typeof given === 'string' ? read(given) : given
  if (isMap(data)) return data
  throw new RunError(
    `The data of an event is a map, and ${pythonStr(data).slice(0, 200)} is none. Try '{"id": "web1"}'.`,
  )
}

function read(text: string): Value {
  try {
    return loadYaml(text, { name: 'data' }) ?? {}
  } catch (error) {
    throw new RunError(`The data is neither JSON nor YAML: ${messageOf(error)}`)
  }
}

/** The signatures of a table of functions. */
export function signaturesOf(table: FunctionTable): ReadonlyMap<string, Signature> {
  return new Map([...table].map(([fun, { signature }]) => [fun, signature]))
}

/** What a linter found, and in how much. */
export interface LintFindings {
  readonly entries: number
  readonly files: number
  readonly problems: readonly LintProblem[]
}

/** Lints a set, with a linter that is loaded for it, or those of its files whose paths end with one of the names. A name that none ends with is an error. */
export async function lintSet(
  set: StoredReactorSet,
  names: readonly string[],
  functions: Readonly<Record<FunctionClient, ReadonlyMap<string, Signature>>>,
): Promise<LintFindings> {
  const isNamed = (file: string, name: string): boolean =>
    file === name || file.endsWith(`/${name.replace(/^\.?\//, '')}`)
  const unknown = names.find((name) => !set.files.some((file) => isNamed(file.name, name)))
  if (unknown !== undefined) {
    const known = set.files.map(({ name }) => name).join(', ')
    throw new RunError(`No entry of the reactor leads to ${unknown}. The files of the set are: ${known || 'none'}.`)
  }
  const files = [...new Set(set.files.map(({ name }) => name))]
  const wanted = files.filter((file) => names.length === 0 || names.some((name) => isNamed(file, name)))
  const { checkTemplate, functionCatalog, lintReactors } = await import('../../core/sls/lint/index.ts')
  const problems = lintReactors({
    entries: set.entries,
    files: set.files,
    functions: functionCatalog(functions),
    checkTemplate,
  })
  return {
    entries: set.entries.length,
    files: wanted.length,
    problems: names.length === 0 ? problems : problems.filter(({ file }) => wanted.includes(file)),
  }
}

/** {@link LintFindings} as a value. */
function lintValue({ entries, files, problems }: LintFindings): Mapping {
  return {
    entries,
    files,
    problems: problems.map(({ severity, code, file, line, message }) =>
      knownFields({ severity, code, file, line, message }),
    ),
  }
}
