// Renders files' templates with what the minion knows: Jinja over grains, pillar, options and the minion's functions.
import { BrineError } from '../../../core/error.ts'
import { renderReason } from '../../../core/state/index.ts'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
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
  const { renderTemplate } = await import('../../states/templates.ts')
  const variables: Mapping = {
    saltenv: given.env,
    env: given.env,
    sls: '',
    ...given.facts,
    ...mapping(given.defaults),
    ...mapping(given.context),
  }
  const name = pythonStr(given.facts.source ?? 'template')
  try {
    return { kind: 'text', text: await renderTemplate(call, text, { name, saltenv: given.env, variables }) }
  } catch (error) {
    if (error instanceof BrineError) return { kind: 'failed', words: renderReason(error, text) }
    throw error
  }
}

function mapping(value: Value): Mapping {
  if (value === null || !isMap(value)) return {}
  return Object.fromEntries(entries(value).map(([key, item]) => [pythonStr(key), item]))
}
