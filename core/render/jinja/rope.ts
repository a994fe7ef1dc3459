// The operations that keep template structure and printed data apart: joining, repeating, trimming, replacing, indenting.
import type { Hole } from '../hole.ts'
import { checkText } from './budget.ts'
import { type Datum, str, textOf } from './datum.ts'
import { escapeHtml } from './html.ts'
import type { Run } from './run.ts'
import { holeText, Markup, Rope, TypedText, token } from './text-object.ts'

/** True where a text carries more than its characters. */
export function isStructured(datum: Datum): datum is Rope | TypedText {
  return datum instanceof Rope || datum instanceof TypedText
}

/** True for text that HTML escaping leaves alone. */
export function isMarkup(datum: Datum): boolean {
  return (datum instanceof Markup || isStructured(datum)) && datum.markup
}

/** A rope of a run; from now on the run's holes may be repeated or unused. */
function ropeOf(raw: string, run: Run, markup = false): Rope {
  checkText(raw.length)
  run.captured = true
  return new Rope(raw, run.holes, markup)
}

/** The parts one after the other, as `~` and `join` print them: plain text unless a part has structure. */
export function concat(parts: readonly Datum[], run: Run): Datum {
  if (parts.some(isStructured)) {
    let raw = ''
    for (const part of parts) {
      raw += run.structure(part)
      checkText(raw.length)
    }
    return ropeOf(raw, run)
  }
  let text = ''
  for (const part of parts) {
    text += str(part)
    checkText(text.length)
  }
  return text
}

/** `a + b` of two texts; what is added to markup is escaped. */
export function addTexts(a: Datum, b: Datum, run: Run): Datum {
  const left = isMarkup(b) && !isMarkup(a) ? escapeKeeping(a, run) : a
  const right = isMarkup(a) && !isMarkup(b) ? escapeKeeping(b, run) : b
  const markup = isMarkup(left) || isMarkup(right)
  if (isStructured(left) || isStructured(right)) return ropeOf(run.structure(left) + run.structure(right), run, markup)
  const text = str(left) + str(right)
  checkText(text.length)
  return markup ? new Markup(text) : text
}

/** The text escaped; structure stays structure. */
export function escapeKeeping(datum: Datum, run: Run): Datum {
  if (datum instanceof Rope && !datum.hasHoles) return new Rope(escapeHtml(datum.raw), run.holes, true)
  return escapeHtml(str(datum))
}

/** `text * count`. */
export function repeatText(datum: Datum, count: number, run: Run): Datum {
  const times = Math.max(0, count)
  const text = textOf(datum) ?? ''
  checkText(text.length * times)
  if (datum instanceof Rope) return ropeOf(datum.raw.repeat(times), run, datum.markup)
  if (datum instanceof TypedText) return times === 1 ? datum : ropeOf(run.structure(datum).repeat(times), run)
  const repeated = text.repeat(times)
  return datum instanceof Markup ? new Markup(repeated) : repeated
}

/** Applies a change of whitespace at the ends; `left` and `right` trim one side of a text. */
export function trimStructured(
  datum: Rope | TypedText,
  run: Run,
  left: (text: string) => string,
  right: (text: string) => string,
): Datum {
  if (datum instanceof TypedText) return datum.reprinted(right(left(datum.text())))
  if (!datum.hasHoles) return new Rope(right(left(datum.raw)), datum.holes, datum.markup)
  const parts = trimSide(datum.parts(), run, left)
  const turned = trimSide(parts.reverse(), run, right)
  return ropeOf(turned.reverse().map(rawOf).join(''), run, datum.markup)
}

function rawOf(part: string | number): string {
  return typeof part === 'string' ? part : token(part)
}

function trimSide(parts: (string | number)[], run: Run, trim: (text: string) => string): (string | number)[] {
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? ''
    const text = typeof part === 'string' ? part : holeText(run.holes[part])
    const trimmed = trim(text)
    if (trimmed === '') continue
    const kept =
      typeof part === 'string'
        ? trimmed
        : trimmed === text
          ? part
          : run.holes.push(changed(run.holes[part], trimmed)) - 1
    return [kept, ...parts.slice(index + 1)]
  }
  return []
}

/** The hole printed differently; a typed one keeps its value. */
function changed(hole: Hole | undefined, text: string): Hole {
  return hole?.typed === true ? { value: hole.value, typed: true, text } : { value: text, typed: false }
}

/** Every occurrence of a text replaced, in structure and in data; plain data where one spans both. */
export function replaceStructured(datum: Rope, old: string, replacement: Datum, expected: string, run: Run): Datum {
  if (old === '' || old === datum.text()) return expected
  const raw = run.structure(replacement)
  const plainReplacement = textOf(replacement) ?? ''
  const parts = datum.parts().map((part) => {
    if (typeof part === 'string') return part.replaceAll(old, () => raw)
    const text = holeText(run.holes[part])
    if (!text.includes(old)) return token(part)
    const replaced = text.replaceAll(old, () => plainReplacement)
    return replaced === '' ? '' : token(run.holes.push(changed(run.holes[part], replaced)) - 1)
  })
  const made = ropeOf(parts.join(''), run, datum.markup)
  return made.text() === expected ? made : expected
}

/** Indents every line but the first, also those inside holes; `indentText` does the same to a plain text. */
export function indentStructured(
  datum: Rope | TypedText,
  run: Run,
  indention: string,
  indentText: (text: string) => string,
): Datum {
  if (datum instanceof TypedText) return datum.reprinted(indentText(datum.text()))
  if (!datum.hasHoles) return new Rope(indentText(datum.raw), datum.holes, datum.markup)
  const parts = datum.parts()
  const indented = parts.map((part, index) => {
    if (typeof part === 'string') return part
    const text = holeText(run.holes[part])
    if (!text.includes('\n')) return token(part)
    const next = parts[index + 1]
    const goesOn = next !== undefined && !(typeof next === 'string' && next.startsWith('\n'))
    const lines = text.split('\n')
    const last = lines.length - 1
    const changedText = lines
      .map((line, at) => (at > 0 && (line !== '' || (at === last && goesOn)) ? indention + line : line))
      .join('\n')
    return token(run.holes.push(changed(run.holes[part], changedText)) - 1)
  })
  return ropeOf(indentText(indented.join('')), run, datum.markup)
}

/** What formatting gives: literal text and what was put in, as structure where the format is. */
export type FormatPart = { readonly literal: string } | { readonly datum: Datum } | { readonly formatted: string }

/** Joins the parts of a formatted text; `format` is what they were formatted by. */
export function joinFormatted(format: Datum, parts: readonly FormatPart[], run: Run): Datum {
  const structured = format instanceof Rope || parts.some((part) => 'datum' in part && isStructured(part.datum))
  const escapes = isMarkup(format)
  let text = ''
  for (const part of parts) {
    if ('literal' in part) text += structured && !(format instanceof Rope) ? run.structure(part.literal) : part.literal
    else if ('formatted' in part) text += structured ? run.structure(part.formatted) : part.formatted
    else if (structured)
      text += run.structure(escapes && !isMarkup(part.datum) ? escapeKeeping(part.datum, run) : part.datum)
    else text += escapes && !isMarkup(part.datum) ? escapeHtml(str(part.datum)) : str(part.datum)
    checkText(text.length)
  }
  if (structured) return ropeOf(text, run, escapes)
  return format instanceof Markup ? new Markup(text) : text
}
