// Python's replacement templates: `\1`, `\g<name>`, `\n`.
import { PythonError } from '../python-error.ts'
import type { RegexProgram } from '../regex/program.ts'

type Expand = (groups: readonly (string | undefined)[]) => string

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
}

/** What makes the replacement of a match; groups that took no part are empty. Throws Python's `re.error`. */
export function expandReplacement(template: string, program: Pick<RegexProgram, 'groups' | 'names'>): Expand {
  if (!template.includes('\\')) return () => template
  const parts: (string | number)[] = []
  let literal = ''
  const push = (part: number, at: number): void => {
    if (part > program.groups) throw new PythonError('re.error', `invalid group reference ${part} at position ${at}`)
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(part)
  }
  for (let at = 0; at < template.length; at++) {
    const char = template[at] ?? ''
    if (char !== '\\') {
      literal += char
      continue
    }
    const rest = template.slice(at + 1)
    const named = /^g<([^>]*)>/.exec(rest)
    const number = /^[1-9][0-9]?/.exec(rest)
    const octal = /^(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(rest)
    const escaped = ESCAPES[rest[0] ?? '']
    if (named !== null) {
      const [all, name = ''] = named
      push(groupOf(name, program), at + 3)
      at += all.length
    } else if (octal !== null) {
      literal += String.fromCharCode(Number.parseInt(octal[0], 8))
      at += octal[0].length
    } else if (number !== null) {
      push(Number(number[0]), at + 1)
      at += number[0].length
    } else if (escaped !== undefined) {
      literal += escaped
      at++
    } else if (rest === '' || /^[A-Za-z]/.test(rest)) {
      throw new PythonError(
        're.error',
        rest === '' ? 'bad escape (end of pattern) at position 0' : `bad escape \\${rest[0]} at position ${at}`,
      )
    } else {
      literal += `\\${rest[0] ?? ''}`
      at++
    }
  }
  if (literal !== '') parts.push(literal)
  return (groups) => parts.map((part) => (typeof part === 'string' ? part : (groups[part] ?? ''))).join('')
}

function groupOf(name: string, program: Pick<RegexProgram, 'names'>): number {
  if (/^\d+$/.test(name)) return Number(name)
  const group = program.names.get(name)
  if (group === undefined) throw new PythonError('IndexError', `unknown group name '${name}'`)
  return group
}
