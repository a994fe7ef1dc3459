// A position in a YAML text, with the line and column that indentation is judged by.
import { YamlError, type YamlProblem } from './yaml-error.ts'

/** What {@link Cursor.code} answers past the end. */
export const END = -1

/** U+FEFF, which may begin a text and each of its lines. */
export const BYTE_ORDER_MARK = 0xfeff

const TAB = 0x09
const SPACE = 0x20

/** Space or tab. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** The line breaks of YAML 1.1: LF, CR, NEL, LS, PS. */
export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029
}

/** A blank, a break or the end. */
export function isBlankOrEnd(code: number): boolean {
  return code === SPACE || code === END || code === 0x0a || code === TAB || isBreak(code)
}

/** Walks a text; only {@link Cursor.skipBreak} and {@link Cursor.readBreak} go over a line's end. */
export class Cursor {
  at = 0
  line = 0
  private lineStart = 0
  readonly text: string
  private readonly name: string | undefined
  constructor(text: string, name?: string) {
    this.text = text
    this.name = name
  }

  /** The UTF-16 unit `offset` ahead, {@link END} past the end. */
  code(offset = 0): number {
    const at = this.at + offset
    return at < this.text.length ? this.text.charCodeAt(at) : END
  }

  get column(): number {
    return this.at - this.lineStart
  }

  /** Passes a line break; does nothing where there is none. */
  skipBreak(): void {
    const code = this.code()
    if (!isBreak(code)) return
    this.at += code === 0x0d && this.code(1) === 0x0a ? 2 : 1
    this.line++
    this.lineStart = this.at
  }

  /** Passes a line break and answers it: LF for every kind but LS and PS, empty where there is none. */
  readBreak(): string {
    const code = this.code()
    if (!isBreak(code)) return ''
    this.skipBreak()
    return code === 0x2028 ? '\u2028' : code === 0x2029 ? '\u2029' : '\n'
  }

  /** True at the first column where the line begins with `---` or `...` and a blank follows. */
  atDocumentMark(): boolean {
    if (this.at !== this.lineStart) return false
    const code = this.code()
    if (code !== 0x2d && code !== 0x2e) return false
    return this.code(1) === code && this.code(2) === code && isBlankOrEnd(this.code(3))
  }

  /** Passes the mark at the very beginning, which takes no column. */
  skipOpeningMark(): void {
    if (this.text.charCodeAt(0) !== BYTE_ORDER_MARK) return
    this.at = 1
    this.lineStart = 1
  }

  /** Steps beyond a last line without a break: the end is reported as the beginning of one more line. */
  endLine(): void {
    if (this.column === 0) return
    this.at = this.text.length + 1
    this.line++
    this.lineStart = this.at
  }

  error(problem: YamlProblem): YamlError {
    return new YamlError(problem, this.text, this.name)
  }

  scannerError(problem: string, context?: string, contextAt?: number): YamlError {
    return this.error({
      kind: 'ScannerError',
      problem,
      at: this.at,
      ...(context === undefined ? {} : { context }),
      ...(contextAt === undefined ? {} : { contextAt }),
    })
  }
}
