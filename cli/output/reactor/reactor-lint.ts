// The outputter of `reactor.lint`: one finding a line, as compilers print theirs.
import { get, isMap, type Value } from '../../../core/value/index.ts'
import { colours } from '../colour.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { hasField, inline, mapsOf, numberOf, textOf } from './field.ts'

/** Prints findings: `file:line: error: message [code]`, and a last line that counts. */
export function reactorLint(data: Value, options: OutputOptions): string {
  if (!isMap(data) || !hasField(data, 'problems')) throw new Unprintable('reactor_lint', inline(data))
  const shades = colours(options.color)
  const problems = mapsOf(data, 'problems')
  const lines = problems.map((problem) => {
    const line = get(problem, 'line')
    const severity = textOf(problem, 'severity')
    const shade = severity === 'error' ? shades.LIGHT_RED : shades.LIGHT_YELLOW
    const place = `${textOf(problem, 'file')}${line === undefined ? '' : `:${inline(line)}`}`
    return `${place}: ${shade}${severity}${shades.ENDC}: ${textOf(problem, 'message')} [${textOf(problem, 'code')}]`
  })
  const errors = problems.filter((problem) => textOf(problem, 'severity') === 'error').length
  const counts = [counted(errors, 'error'), counted(problems.length - errors, 'warning')].join(', ')
  const looked = `${counted(numberOf(data, 'files'), 'file')} and ${counted(numberOf(data, 'entries'), 'entry', 'entries')}`
  return [...lines, `${counts} in ${looked}`].join('\n')
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
