// How a template is read: Jinja's environment settings, Salt's per-file `#jinja2:` header.
import { parseJson } from '../../value/index.ts'
import { valueError } from './python-error.ts'

/** Jinja's lexer settings under their Jinja names; the defaults are Salt's for reactors. */
export interface JinjaOptions {
  readonly block_start_string: string
  readonly block_end_string: string
  readonly variable_start_string: string
  readonly variable_end_string: string
  readonly comment_start_string: string
  readonly comment_end_string: string
  readonly line_statement_prefix: string | null
  readonly line_comment_prefix: string | null
  readonly trim_blocks: boolean
  readonly lstrip_blocks: boolean
  readonly newline_sequence: string
  readonly keep_trailing_newline: boolean
}

/** Jinja's delimiters with the settings that Salt gives it. */
export const DEFAULT_OPTIONS: JinjaOptions = {
  block_start_string: '{%',
  block_end_string: '%}',
  variable_start_string: '{{',
  variable_end_string: '}}',
  comment_start_string: '{#',
  comment_end_string: '#}',
  line_statement_prefix: null,
  line_comment_prefix: null,
  trim_blocks: false,
  lstrip_blocks: false,
  newline_sequence: '\n',
  keep_trailing_newline: false,
}

/** The given settings over the defaults; unknown names and values of the wrong type are ignored, as Salt does. */
export function mergeOptions(base: JinjaOptions, over: Readonly<Record<string, unknown>>): JinjaOptions {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const name = key.toLowerCase()
    if (!Object.hasOwn(DEFAULT_OPTIONS, name)) continue
    if (name.endsWith('_prefix')) {
      if (value === null || (typeof value === 'string' && value !== '')) merged[name] = value
    } else if (name.endsWith('_string') || name === 'newline_sequence') {
      if (typeof value === 'string' && value !== '') merged[name] = value
    } else merged[name] = Boolean(value)
  }
  const options = merged as unknown as JinjaOptions
  checkOptions(options)
  return options
}

/** Jinja's checks of its environment. */
function checkOptions(options: JinjaOptions): void {
  const starts = [options.block_start_string, options.variable_start_string, options.comment_start_string]
  if (new Set(starts).size < 3) throw valueError('block, variable and comment start strings must be different')
  if (!['\n', '\r\n', '\r'].includes(options.newline_sequence)) {
    throw valueError("'newline_sequence' must be one of '\\n', '\\r\\n', or '\\r'.")
  }
}

const HEADER = '#jinja2:'

/**
 * Takes the `#jinja2: {…}` header out of a template (first line, or second below a `#!` line that names renderers).
 * A header that is empty, no JSON or no map stays where it is and changes nothing.
 */
export function readHeader(text: string, base: JinjaOptions): { text: string; options: JinjaOptions } {
  const unchanged = { text, options: base }
  if (!text.includes(HEADER)) return unchanged
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
  const first = lines[0] ?? ''
  const index = first.startsWith('#!') && !first.startsWith('#!/') ? 1 : 0
  const line = lines[index]
  if (line === undefined || !line.startsWith(HEADER)) return unchanged
  let settings: unknown
  try {
    settings = parseJson(line.slice(HEADER.length))
  } catch {
    return unchanged
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return unchanged
  const entries = settings instanceof Map ? Object.fromEntries(settings) : settings
  lines.splice(index, 1)
  return { text: lines.join(''), options: mergeOptions(base, entries as Record<string, unknown>) }
}
