// Which quotes a scalar needs in YAML: PyYAML's resolver and libyaml's analysis of the text.
import { isFloat, pythonRepr, type Value } from '../value/index.ts'

/** A scalar's text, and whether it is a string (which must not read back as anything else). */
export interface Scalar {
  readonly text: string
  readonly isText: boolean
}

/** The text that PyYAML writes for a value that is no list and no map. */
export function scalarOf(value: Value): Scalar {
  if (typeof value === 'string') return { text: value, isText: true }
  if (value === null) return { text: 'null', isText: false }
  if (typeof value === 'boolean') return { text: value ? 'true' : 'false', isText: false }
  const text = pythonRepr(value)
  return { text: isFloat(value) ? floatScalar(text) : text, isText: false }
}

function floatScalar(text: string): string {
  if (text === 'nan' || text === 'inf') return `.${text}`
  if (text === '-inf') return '-.inf'
  return text.includes('.') ? text : text.replace('e', '.0e')
}

/** What a text allows. */
export interface Analysis {
  readonly multiline: boolean
  readonly printable: boolean
  readonly plainInFlow: boolean
  readonly plainInBlock: boolean
  readonly singleQuoted: boolean
}

const BREAK = /[\n\r\u0085\u2028\u2029]/
const UNPRINTABLE = /[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u
const STARTS_ANY = /^[#,[\]{}&*!|>'"%@`]|^-(?=[ \t\n\r\u0085\u2028\u2029]|$)|^---|^\.\.\./
const FLOW_ONLY = /^[?:]|[,?[\]{}:]/
const BLOCK_TOO = /^\?(?=[ \t\n\r\u0085\u2028\u2029]|$)|:(?=[ \t\n\r\u0085\u2028\u2029]|$)|[ \t\n\r\u0085\u2028\u2029]#/

/** Looks at a text as libyaml does before it chooses a style. */
export function analyse(text: string): Analysis {
  if (text === '') {
    return { multiline: false, printable: true, plainInFlow: false, plainInBlock: true, singleQuoted: true }
  }
  const multiline = BREAK.test(text)
  const printable = !UNPRINTABLE.test(text)
  const edges = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/.test(text)
  const spaceBeforeBreak = / [\n\r\u0085\u2028\u2029]/.test(text)
  const spaceAfterBreak = /[\n\r\u0085\u2028\u2029] /.test(text)
  const plain = printable && !multiline && !edges && !STARTS_ANY.test(text)
  const block = BLOCK_TOO.test(text)
  return {
    multiline,
    printable,
    plainInFlow: plain && !block && !FLOW_ONLY.test(text),
    plainInBlock: plain && !block,
    singleQuoted: printable && !spaceBeforeBreak && !spaceAfterBreak,
  }
}

/** Plain where it can be, else single quotes, else double quotes. */
export function styleOf(
  scalar: Scalar,
  text: Analysis,
  place: { flow: boolean; key: boolean },
): 'plain' | 'single' | 'double' {
  if (place.key && text.multiline) return 'double'
  const allowed = place.flow ? text.plainInFlow : text.plainInBlock
  const empty = scalar.text === '' && (place.flow || place.key)
  if (allowed && !empty && !(scalar.isText && readsAsOther(scalar.text))) return 'plain'
  return text.singleQuoted ? 'single' : 'double'
}

const OTHER_TYPES: readonly RegExp[] = [
  /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  /^(?:~|null|Null|NULL|<<|=|)$/,
  /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/,
]

/** True for a text that PyYAML would read as a boolean, a number, null, a date, a merge or a default. */
function readsAsOther(text: string): boolean {
  return OTHER_TYPES.some((pattern) => pattern.test(text))
}
