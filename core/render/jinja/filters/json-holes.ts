// JSON that a template wrote around printed data: data fills strings and values, it never adds any.
import { Float, parseJson, stringifyJson, type Value } from '../../../value/index.ts'
import type { Hole } from '../../hole.ts'
import { holeText, type Rope } from '../text-object.ts'

/** No JSON anywhere. */
const INVALID = '?'

/** The text with its holes printed: inside a string as its characters, elsewhere as one JSON value. */
export function jsonWithHoles(rope: Rope): string {
  let text = ''
  let inString = false
  for (const part of rope.parts()) {
    if (typeof part === 'string') {
      inString = endsInString(part, inString)
      text += part
    } else {
      const hole = rope.holes[part]
      text += inString ? stringifyJson(holeText(hole)).slice(1, -1) : valueText(hole)
    }
  }
  return text
}

function endsInString(text: string, start: boolean): boolean {
  let inString = start
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && inString) at++
    else if (text[at] === '"') inString = !inString
  }
  return inString
}

/** A scalar as the JSON it reads as; text that is no JSON scalar stays as it is and makes the document invalid. */
function valueText(hole: Hole | undefined): string {
  if (hole === undefined) return ''
  if (hole.typed) return stringifyJson(hole.value)
  const text = holeText(hole)
  const value = scalar(text)
  return value === undefined ? INVALID : stringifyJson(value)
}

function scalar(text: string): Value | undefined {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !(value instanceof Float) ? undefined : value
  } catch {
    return undefined
  }
}
