// What Salt says of an SLS file that does not render.
import { BrineError } from '../error.ts'
import { TemplateError, YamlError } from '../render/index.ts'
import type { SlsFile } from './state-files.ts'

const MARKER = '    <======================'
const AROUND = 5

/**
 * The error of a run in which `error` came of rendering `file`. Throws it again where it is no fault of the file, such as
 * a question that has to be answered first.
 */
export function renderFailure(error: unknown, file: SlsFile): string {
  if (!(error instanceof BrineError)) throw error
  if (error instanceof YamlError && (error.kind === 'ComposerError' || error.kind === 'ReaderError')) {
    return `Rendering SLS ${file.sls} failed, render error: ${error.reason}`
  }
  return `Rendering SLS '${file.env}:${file.sls}' failed: ${renderReason(error, file.text)}`
}

/**
 * Salt's words for why a text does not render. Of YAML it prints no lines of the file, of Jinja those around the error; a
 * file that was included is named by its URL, where Salt names its place in the cache.
 */
export function renderReason(error: BrineError, text: string): string {
  if (error instanceof YamlError) return error.reason
  if (!(error instanceof TemplateError)) return error.message
  const [place, line] = /; line (\d+)$/.exec(error.saltMessage) ?? []
  const { included } = error
  if (included !== undefined) {
    const what = place === undefined ? error.saltMessage : error.saltMessage.slice(0, -place.length)
    return `${what}\nsalt://${included.name}(${included.line}):\n${excerpt(included.source, included.line)}`
  }
  if (line === undefined) return error.saltMessage
  return `${error.saltMessage}\n\n${excerpt(text, Number(line))}`
}

/** Five lines before and after, the line itself marked; the whole text where it has no such line. */
function excerpt(text: string, line: number): string {
  const lines = text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/)
  if (line > lines.length) return text
  const start = Math.max(0, line - AROUND - 1)
  const end = Math.min(lines.length, line + AROUND)
  const shown = lines.slice(start, end).map((words, index) => (start + index === line - 1 ? words + MARKER : words))
  return ['---', ...(start > 0 ? ['[...]'] : []), ...shown, ...(end < lines.length ? ['[...]'] : []), '---'].join('\n')
}
