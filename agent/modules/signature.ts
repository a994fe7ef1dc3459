// Signatures written as Python writes them: `tag, data=None, *args, force=False, **kwargs`.
import type { Parameter, Signature } from '../../core/arguments/index.ts'
import { BrineError } from '../../core/error.ts'
import { float, type Value } from '../../core/value/index.ts'

const cache = new Map<string, Signature>()

/** Reads a signature; defaults may be None, True, False, numbers, text in single quotes, `[]` and `{}`. */
export function signature(text: string): Signature {
  const known = cache.get(text)
  if (known !== undefined) return known
  const params: Parameter[] = []
  let varArgs = false
  let varKwargs = false
  let keywordOnly = false
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '') continue
    if (part.startsWith('**')) varKwargs = true
    else if (part.startsWith('*')) {
      varArgs = part.length > 1
      keywordOnly = true
    } else params.push({ ...parameter(part, text), ...(keywordOnly ? { keywordOnly } : {}) })
  }
  const result: Signature = { params, varArgs, varKwargs }
  cache.set(text, result)
  return result
}

function parameter(part: string, whole: string): Parameter {
  const equals = part.indexOf('=')
  if (equals < 0) return { name: part }
  const text = part.slice(equals + 1)
  const value = defaultOf(text)
  if (value === undefined)
    throw new BrineError(`The default ${text} in the signature (${whole}) is not understood.`, { code: 'signature' })
  return { name: part.slice(0, equals), default: value }
}

function defaultOf(text: string): Value | undefined {
  if (text === 'None') return null
  if (text === 'True') return true
  if (text === 'False') return false
  if (text === '[]') return []
  if (text === '{}') return {}
  if (/^-?\d+$/.test(text)) return Number(text)
  if (/^-?\d+\.\d+$/.test(text)) return float(Number(text))
  return /^'[^']*'$/.test(text) ? text.slice(1, -1) : undefined
}
