// Salt's `xml` filter: nested lists and maps as indented XML.
import { numberOf } from '../../../value/index.ts'
import { checkSize } from '../budget.ts'
import { type Datum, isDict, str, textOf } from '../datum.ts'
import { dictPairs } from '../dict.ts'
import { PythonError, valueError } from '../python-error.ts'

interface Element {
  readonly tag: string
  attributes: [string, string][]
  text: string | undefined
  readonly children: Element[]
}

/** The document with its declaration, ending in a line break. */
export function toXml(input: Datum): string {
  checkSize(input)
  const root = build(pairsOf(input), undefined)
  if (root === undefined) throw new PythonError('AttributeError', "'NoneType' object has no attribute 'iter'")
  return `<?xml version="1.0" ?>\n${print(root, '')}`
}

function pairsOf(value: Datum): [Datum, Datum][] {
  if (Array.isArray(value)) {
    if (value.length === 0) throw new PythonError('IndexError', 'list index out of range')
    if (textOf(value[0] ?? null) === undefined) return []
    if (value.length !== 2) throw valueError(`not enough values to unpack (expected 2, got 1)`)
    return [value as [Datum, Datum]]
  }
  if (isDict(value)) return dictPairs(value)
  throw new PythonError('TemplateRuntimeError', 'Value is not a dict or list. Cannot render as XML')
}

/** A name of XML; anything else is not well-formed. */
function nameOf(name: Datum): string {
  const text = str(name)
  if (!/^[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]*$/u.test(text)) throw valueError('not well-formed (invalid token)')
  return text
}

/** Salt looks at the second character of a text in a list. */
function checkText(item: Datum): void {
  if ((textOf(item)?.length ?? 2) < 2) throw new PythonError('IndexError', 'string index out of range')
}

function isScalar(value: Datum): boolean {
  return textOf(value) !== undefined || numberOf(value) !== undefined
}

function build(pairs: readonly (readonly [Datum, Datum])[], parent: Element | undefined): Element | undefined {
  let last: Element | undefined
  for (const [tag, value] of pairs) {
    if (Array.isArray(value)) {
      for (const item of value) build([[tag, item]], parent)
      for (const item of value) checkText(item)
      continue
    }
    last = { tag: nameOf(tag), attributes: [], text: undefined, children: [] }
    parent?.children.push(last)
    if (isScalar(value)) {
      last.text = str(value)
      continue
    }
    if (isDict(value)) {
      last.attributes = dictPairs(value)
        .filter(([, item]) => !Array.isArray(item) && !isDict(item))
        .map(([name, item]) => [nameOf(name), str(item)])
    }
    const nested = isDict(value) || Array.isArray(value) ? pairsOf(value) : pairsOf(null)
    for (const [name, item] of nested) if (Array.isArray(item) || isDict(item)) build([[name, item]], last)
  }
  return last
}

function escapeText(text: string, quotes: boolean): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return quotes ? escaped.replaceAll('"', '&quot;') : escaped
}

function print({ tag, attributes, text, children }: Element, indent: string): string {
  const start = `${indent}<${tag}${attributes.map(([name, value]) => ` ${name}="${escapeText(value, true)}"`).join('')}`
  if (children.length === 0 && (text === undefined || text === '')) return `${start}/>\n`
  if (children.length === 0) return `${start}>${escapeText(text ?? '', false)}</${tag}>\n`
  return `${start}>\n${children.map((child) => print(child, `${indent} `)).join('')}${indent}</${tag}>\n`
}
