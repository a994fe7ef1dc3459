// Templates on the minion: what they ask of its functions is answered, and they begin again with every answer.
import { BrineError, messageOf } from '../../core/error.ts'
import {
  type Changes,
  callKey,
  compileTemplate,
  type Environment,
  Need,
  renderText,
  SALT_FUNCTIONS,
  type SaltFunction,
  sharingChanges,
  TemplateException,
  yamlTools,
} from '../../core/render/index.ts'
import { answered, type Known } from '../../core/state/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { Call } from '../modules/module.ts'

/** What a template with these variables is rendered in; what it includes is of the environment. */
export type TemplateSource = (variables: Environment['context'], saltenv: string) => Environment

/** Functions of chance: a call that is made twice is asked twice. Any other one is asked once, whoever repeats it. */
const ofChance = [
  ...['get_str', 'rand_int', 'sample', 'shadow_hash', 'shuffle'].map((name) => `random.${name}`),
  'test.rand_str',
  'test.random_hash',
]

/** Marks which time a function of chance is called with the same arguments; it never reaches the function. */
const nth = '__nth__'

/**
 * Runs `evaluate` until every question of its templates is answered by the minion's functions: it may be run many times,
 * so it must have no effects. A function that fails fails the template that called it. Rejects with what `evaluate` throws.
 */
export function withAnswers<T>(call: Call, evaluate: (known: Known, source: TemplateSource) => T): Promise<T> {
  const failures = new Map<string, unknown>()
  const failed = new Set<string>()
  return answered(
    (known) => {
      const failing = [...failed].map((fun) => [fun, answering(fun, known, failures)] as const)
      const pure = { ...SALT_FUNCTIONS, ...chances(known), ...Object.fromEntries(failing) }
      return sharingChanges((changes) => evaluate(known, sourceOf(call, known, pure, changes)))
    },
    async ({ fun, args, kwargs }) => {
      try {
        const { [nth]: _, ...named } = kwargs
        return await call.salt(fun, args, named)
      } catch (error) {
        // Without its files nothing can be rendered; any other failure belongs to the template.
        if (error instanceof BrineError && (error.code === 'unreachable' || error.code === 'stopped')) throw error
        failures.set(callKey(fun, args, kwargs), error)
        failed.add(fun)
        return null
      }
    },
  )
}

/** A text rendered as a template of Salt's, with `grains`, `pillar`, `opts`, `salt` and further variables. Throws TemplateError. */
export function renderTemplate(call: Call, text: string, more: TemplateFacts): Promise<string> {
  const { name, saltenv, variables = {} } = more
  const template = compileTemplate(text, name)
  return withAnswers(call, (_, source) =>
    renderText(template, source({ ...factsOf(call), saltenv, ...variables }, saltenv)),
  )
}

/** What a single template knows besides the minion. */
export interface TemplateFacts {
  /** As it stands in errors. */
  readonly name: string
  readonly saltenv: string
  readonly variables?: Mapping
}

/** What every template knows of the minion. */
export function factsOf({ agent }: Call): { grains: Mapping; pillar: Mapping; opts: Mapping } {
  return { grains: agent.grains.all(), pillar: agent.pillar(), opts: agent.opts }
}

/** What one file changes of the pillar with `{% do … %}` the next ones see, as in Salt; then all is as it was. */
function sourceOf(
  call: Call,
  known: Known,
  pure: Readonly<Record<string, SaltFunction>>,
  changes: Changes,
): TemplateSource {
  const { functions, outside } = call.agent
  return (context, saltenv) => ({
    context,
    salt: {
      typeName: 'salt.utils.templates.AliasedLoader',
      pure,
      answerable: (fun) => functions.matching(fun).length > 0,
      answers: known,
    },
    yaml: yamlTools,
    changes,
    outside: { now: () => outside.now() / 1_000_000, random: () => outside.random() },
    files: (path) => {
      const args = [`salt://${path.replace(/^salt:\/\//, '')}?saltenv=${saltenv}`]
      const text = known.get(callKey('cp.get_file_str', args, {}))
      if (text === undefined) throw new Need('cp.get_file_str', args, {})
      return typeof text === 'string' ? text : undefined
    },
  })
}

/** The functions of chance, which count how often they are called in this evaluation. */
function chances(known: Known): Readonly<Record<string, SaltFunction>> {
  const calls = new Map<string, number>()
  const drawn = (fun: string): SaltFunction => {
    return (args, kwargs) => {
      const key = callKey(fun, args, kwargs)
      const count = (calls.get(key) ?? 0) + 1
      calls.set(key, count)
      const numbered = { ...kwargs, [nth]: count }
      const answer = known.get(callKey(fun, args, numbered))
      if (answer === undefined) throw new Need(fun, args, numbered)
      return answer
    }
  }
  return Object.fromEntries(ofChance.map((fun) => [fun, drawn(fun)]))
}

/** A function that failed with some arguments may well answer others. */
function answering(fun: string, known: Known, failures: ReadonlyMap<string, unknown>): SaltFunction {
  return (args, kwargs) => {
    const key = callKey(fun, args, kwargs)
    if (failures.has(key)) throw exceptionOf(failures.get(key))
    const answer = known.get(key)
    if (answer === undefined) throw new Need(fun, args, kwargs)
    return answer
  }
}

function exceptionOf(error: unknown): TemplateException {
  const code = error instanceof BrineError ? error.code : ''
  const name =
    code === 'invocation'
      ? 'SaltInvocationError'
      : code.startsWith('command')
        ? 'CommandExecutionError'
        : 'RuntimeError'
  return new TemplateException(name, messageOf(error))
}
