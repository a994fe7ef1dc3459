// The renderers that an SLS file goes through, as its `#!` line names them.
import { nearest } from '../config/nearest.ts'
import { BrineError } from '../error.ts'

/** What turns a text into a document. */
export type DocumentFormat = 'yaml' | 'json'

/** A file's way: through Jinja or not, and into a document. */
export interface RendererPipe {
  readonly jinja: boolean
  readonly format: DocumentFormat
}

/** A `#!` line that Brine cannot follow. The file contributes nothing. */
export class RendererError extends BrineError {
  constructor(message: string) {
    super(message, { code: 'renderer' })
  }
}

const DEFAULT: RendererPipe = { jinja: true, format: 'yaml' }

/** Salt's others, and what to do without them. */
const REFUSED: Readonly<Record<string, string>> = {
  py: 'runs Python, which Brine does not. Write the file in Jinja and YAML, or have the event call a runner of your own.',
  pyobjects: 'runs Python, which Brine does not. Write the file in Jinja and YAML.',
  pydsl: 'runs Python, which Brine does not. Write the file in Jinja and YAML.',
  mako: 'is a template language that Brine does not have. Write the file in Jinja.',
  cheetah: 'is a template language that Brine does not have. Write the file in Jinja.',
  genshi: 'is a template language that Brine does not have. Write the file in Jinja.',
  wempy: 'is a template language that Brine does not have. Write the file in Jinja.',
  gpg: 'decrypts, which Brine does not. Keep secrets where the called function reads them.',
  nacl: 'decrypts, which Brine does not. Keep secrets where the called function reads them.',
  stateconf: 'is not a part of Brine. Write plain YAML.',
  yamlex: 'is not a part of Brine. Write plain YAML.',
  toml: 'is not a part of Brine. Write YAML or JSON.',
  hjson: 'is not a part of Brine. Write YAML or JSON.',
  json5: 'is not a part of Brine. Write YAML or JSON.',
  msgpack: 'is not a part of Brine. Write YAML or JSON.',
  dson: 'is not a part of Brine. Write YAML or JSON.',
  aws_kms: 'decrypts, which Brine does not. Keep secrets where the called function reads them.',
  pass: 'decrypts, which Brine does not. Keep secrets where the called function reads them.',
  tomlmod: 'is not a part of Brine. Write YAML or JSON.',
}

const KNOWN = ['jinja', 'yaml', 'json']
const OLD_STYLE: Readonly<Record<string, string>> = { yaml_jinja: 'jinja|yaml', json_jinja: 'jinja|json' }

/**
 * The pipe of a text: that of a first line that begins with `#!` and no path, otherwise `jinja|yaml`. The line itself
 * stays in the text: it is a comment in YAML. Throws RendererError.
 */
export function rendererPipe(text: string): RendererPipe {
  if (!text.startsWith('#!') || text.startsWith('#!/')) return DEFAULT
  const line = /^#![^\r\n]*/.exec(text)?.[0].slice(2).trim() ?? ''
  const stages = ((Object.hasOwn(OLD_STYLE, line) ? OLD_STYLE[line] : undefined) ?? line)
    .split('|')
    .map((stage) => stage.trim())
  for (const stage of stages) checkStage(stage, line)
  const names = stages.map((stage) => stage.split(/\s/, 1)[0] ?? '')
  const format = names.at(-1)
  if (format !== 'yaml' && format !== 'json') {
    throw new RendererError(`#!${line} ends in text, not in a document. End it in |yaml or |json.`)
  }
  const before = names.slice(0, -1)
  if (before.includes('yaml') || before.includes('json')) {
    throw new RendererError(
      `#!${line} goes on after ${format === 'yaml' ? 'a' : 'its'} document. Name one of yaml and json, last.`,
    )
  }
  if (before.length > 1) {
    throw new RendererError(`#!${line} would take data of the event for a template. Name jinja once.`)
  }
  return { jinja: before.length === 1, format }
}

function checkStage(stage: string, line: string): void {
  const [name = '', ...options] = stage.split(/\s+/)
  const refusal = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refusal !== undefined) throw new RendererError(`The renderer ${name} of #!${line} ${refusal}`)
  if (!KNOWN.includes(name)) {
    const meant = nearest(name, KNOWN)
    const hint = meant === undefined ? `There are ${KNOWN.join(', ')}.` : `Did you mean ${meant}?`
    throw new RendererError(`There is no renderer '${name}', as #!${line} names it. ${hint}`)
  }
  if (name === 'jinja' && options.length > 0 && options.join(' ') !== '-s') {
    throw new RendererError(`Unknown renderer option: ${options.join(' ')}. Take it out of #!${line}.`)
  }
}
