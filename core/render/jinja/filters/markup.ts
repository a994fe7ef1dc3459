// Jinja's filters on HTML: escaping, safe text, links.

import { HOLE_CLOSE, HOLE_OPEN } from '../../hole.ts'
import { type Datum, isDict, str, TextObject, textOf, truth, typeName } from '../datum.ts'
import { dictPairs } from '../dict.ts'
import { escapeHtml } from '../html.ts'
import { collect, isIterable } from '../iterate.ts'
import { asIndex } from '../numbers.ts'
import { printed } from '../printed.ts'
import { PythonError, valueError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { Markup, Rope } from '../text-object.ts'
import { defined, Undefined } from '../undefined.ts'
import { filter, type NamedFilter, ropeFilter } from './define.ts'
import { urlize } from './urlize.ts'

/** Text that is printed as it stands: structure in holes mode. Refuses the reserved characters. */
export function rawText(text: string, run: Run): Datum {
  if (!run.holesMode) return new Markup(text)
  if (text.includes(HOLE_OPEN) || text.includes(HOLE_CLOSE)) {
    throw valueError('text that is printed raw may not hold the reserved characters U+E000 and U+E001')
  }
  return new Rope(text, run.holes, true)
}

function escapeDatum(input: Datum): Datum {
  if (input instanceof TextObject && input.markup) return input
  if (input instanceof Rope && !input.hasHoles) return new Rope(escapeHtml(input.raw), input.holes, true)
  return new Markup(escapeHtml(str(input)))
}

function safe(input: Datum, run: Run): Datum {
  if (input instanceof Rope && input.hasHoles) return rawText(input.text(), run)
  return rawText(textOf(input) ?? printed(input), run)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** The text without what stands between the marks; where one is not closed it stays. */
function without(text: string, open: string, close: string): string {
  let kept = ''
  let at = 0
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length)
    if (end < 0) break
    kept += text.slice(at, start)
    at = end + close.length
  }
  return kept + text.slice(at)
}

function striptags(text: string): string {
  const bare = without(without(text, '<!--', '-->'), '<', '>')
  const collapsed = bare
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ')
  return collapsed.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|([a-zA-Z]+));/g, (all, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Math.min(Number(decimal), 0x10ffff))
    if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff))
    return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? all) : all
  })
}

/** `urllib.parse.quote`; `/` stays unless the text goes into a query, where a space becomes `+`. */
function urlQuote(datum: Datum, forQuery: boolean): string {
  const text = textOf(datum) ?? str(datum)
  const quoted = Array.from(new TextEncoder().encode(text), (byte) => {
    const char = String.fromCharCode(byte)
    return /[A-Za-z0-9_.~-]/.test(char) || (char === '/' && !forQuery)
      ? char
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
  return forQuery ? quoted.replaceAll('%20', '+') : quoted
}

function urlencode(input: Datum, run: Run): string {
  defined(input)
  if (textOf(input) !== undefined || !isIterable(input)) return urlQuote(input, false)
  const pairs = isDict(input) ? dictPairs(input) : collect(input, run).map((pair) => collect(pair, run))
  return pairs
    .map(([key = null, value = null, ...rest]) => {
      if (rest.length > 0) throw valueError('too many values to unpack (expected 2)')
      return `${urlQuote(key, true)}=${urlQuote(value, true)}`
    })
    .join('&')
}

function xmlattr(input: Datum, autospace: boolean): string {
  defined(input)
  if (!isDict(input)) throw new PythonError('AttributeError', `'${typeName(input)}' object has no attribute 'items'`)
  const items: string[] = []
  for (const [key, value] of dictPairs(input)) {
    if (value === null || value instanceof Undefined) continue
    const name = textOf(key) ?? str(key)
    if (/[\s/>=]/.test(name)) throw valueError(`Invalid character in attribute name: '${name}'`)
    const text = value instanceof TextObject && value.markup ? value.text() : escapeHtml(str(value))
    items.push(`${escapeHtml(name)}="${text}"`)
  }
  const joined = items.join(' ')
  return autospace && joined !== '' ? ` ${joined}` : joined
}

/** The filters, by Jinja's names. */
export const MARKUP_FILTERS: readonly NamedFilter[] = [
  ropeFilter('escape', '', (input) => escapeDatum(input)),
  ropeFilter('e', '', (input) => escapeDatum(input)),
  filter('forceescape', '', (input) => new Markup(escapeHtml(str(input)))),
  ropeFilter('safe', '', (input, _, run) => safe(input, run)),
  filter('striptags', '', (input) => striptags(str(input))),
  filter('urlencode', '', (input, _, run) => urlencode(input, run)),
  filter('urlize', 'trim_url_limit? nofollow? target? rel? extra_schemes?', (input, args, run) => {
    const [limit = null, nofollow = false, target = null, rel = null, schemes = null] = args
    const relations = new Set(['noopener', ...str(rel ?? '').split(/\s+/), ...(truth(nofollow) ? ['nofollow'] : [])])
    relations.delete('')
    return urlize(str(input), {
      limit: limit === null ? undefined : asIndex(defined(limit)),
      rel: [...relations].sort().join(' '),
      target: target === null ? undefined : str(target),
      schemes: schemes === null ? [] : collect(schemes, run).map(str),
    })
  }),
  ropeFilter('xmlattr', 'autospace?', (input, [autospace = true]) => xmlattr(input, truth(autospace))),
]
