// One command-line word as a value: YAML where that is safe, the text itself where YAML would lose something.
import { loadYaml } from '../render/yaml/index.ts'
import { isList, isMap, type Value } from '../value/index.ts'

/** What Python's `str.strip()` takes off: unlike JavaScript's, NEL and the separators too, and no byte order mark. */
const SPACES = '\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const SPACE_AROUND = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, 'g')
/** Bytes are no type that Salt takes from a command line. */
const BINARY = /^\s*(?:&\S+\s+)?!!binary(?=\s|$)/

/**
 * Salt's `yamlify_arg`. Numbers, booleans, null, quoted texts, `[…]` and `{…}` are read as YAML. Blank text, `---`,
 * digits with underscores, anything with a tab or line break, maps and lists without brackets, and what is not YAML
 * stay as they are. Values that are no text come back unchanged.
 */
export function yamlifyArg(word: Value): Value {
  if (typeof word !== 'string') return word
  const stripped = word.replace(SPACE_AROUND, '')
  if (stripped === '' || stripped === '---' || stripped === '...') return word
  if (/^[\d_]*_[\d_]*$/.test(stripped) || /[\t\r\n]/.test(word) || BINARY.test(word)) return word
  if (word === 'None') return null
  const read = readYaml(word)
  if (read === undefined) return word
  if (word.includes('#')) return typeof read.value === 'string' || read.value === null ? word : read.value
  return keepsBrackets(word, read.value) ? read.value : word
}

function readYaml(text: string): { value: Value } | undefined {
  try {
    return { value: loadYaml(text) }
  } catch {
    // What is not YAML is text, by contract.
    return undefined
  }
}

function keepsBrackets(word: string, value: Value): boolean {
  if (isMap(value)) return word.startsWith('{')
  if (isList(value)) return word.startsWith('[')
  if (value === '') return word !== '|' && word !== '!'
  return value !== null || word !== '!'
}
