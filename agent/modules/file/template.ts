// Renders files' templates with what the minion knows: Jinja over grains, pillar, options and the minion's functions.
import { BrineError } from '../../../core/error.ts'
import { answered, askedFiles, renderReason } from '../../../core/state/index.ts'
import { type Dict, entries, isMap, isMapping, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Call } from '../module.ts'

/** What a template of a file sees besides what every template sees. */
export interface TemplateFacts {
  /** Fields of its own: `source`, `name`, `user`, …, over which the context lies. */
  readonly facts: Mapping
  readonly context: Value
  readonly defaults: Value
  readonly env: string
}

/** The text, or why there is none, in Salt's words. */
export type Rendered =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'failed'; readonly words: string }

/** The engines there are. */
export const TEMPLATES: readonly string[] = ['jinja']

/** Renders a text by Jinja. */
export async function renderFile(text: string, given: TemplateFacts, call: Call): Promise<Rendered> {
  // Jinja is loaded where it is used: a minion that renders nothing starts without it.
  const { compileTemplate, renderText, SALT_FUNCTIONS } = await import('../../../core/render/index.ts')
  const { agent } = call
  const variables: Record<string, Value> = {
    grains: agent.grains.all(),
    pillar: agent.pillar(),
    opts: agent.opts,
    saltenv: given.env,
    env: given.env,
    sls: '',
    ...given.facts,
    ...mapping(given.defaults),
    ...mapping(given.context),
  }
  const jinja = agent.opts.jinja_env
  try {
    const template = compileTemplate(text, pythonStr(given.facts.source ?? 'template'), isMapping(jinja) ? jinja : {})
    const result = await answered(
      (known) => {
        const files = askedFiles(known)
        return renderText(template, {
          context: variables,
          salt: { pure: SALT_FUNCTIONS, answerable: (fun) => agent.functions.get(fun) !== undefined, answers: known },
          files: (path) => files.read(path, given.env),
          outside: { now: () => agent.outside.now() / 1e6, random: () => agent.outside.random() },
        })
      },
      ({ fun, args, kwargs }) => call.salt(fun, [...args], { ...kwargs }),
    )
    return { kind: 'text', text: result }
  } catch (error) {
    if (error instanceof BrineError) return { kind: 'failed', words: renderReason(error, text) }
    throw error
  }
}

function mapping(value: Value): Record<string, Value> {
  if (value === null || !isMap(value)) return {}
  return Object.fromEntries(entries(value as Mapping | Dict).map(([key, item]) => [pythonStr(key), item]))
}
