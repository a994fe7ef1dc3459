// A command's help in optparse's layout: options on the left, their help from column 24 on.
import { wrap } from '../output/wrap.ts'
import { usageText } from './ending.ts'
import { type CommandSpec, type OptionGroup, type OptionSpec, takesValue } from './option.ts'

const HELP_COLUMN = 24

/** Everything `--help` prints. */
export function helpText(spec: CommandSpec, columns = 80): string {
  const width = Math.max(columns - 2, 40)
  const parts = [
    `${usageText(spec)}${paragraph(spec.description, '', width)}`,
    section('Options', spec.options, '', width),
  ]
  for (const group of spec.groups) parts.push(groupText(group, width))
  return parts.join('\n')
}

function groupText(group: OptionGroup, width: number): string {
  if (group.description === undefined) return section(group.title, group.options, '  ', width)
  const described = paragraph(group.description, '    ', width)
  return `  ${group.title}:\n${described}\n${optionLines(group.options, '    ', width)}`
}

function section(title: string, options: readonly OptionSpec[], indent: string, width: number): string {
  return `${indent}${title}:\n${optionLines(options, `${indent}  `, width)}`
}

function paragraph(text: string, indent: string, width: number): string {
  return `${wrap(text, { width: width - indent.length, indent }).join('\n')}\n`
}

function optionLines(options: readonly OptionSpec[], indent: string, width: number): string {
  return options.map((option) => optionText(option, indent, width)).join('')
}

/** Flags that leave no two spaces before the help column stand on a line of their own. */
function optionText(option: OptionSpec, indent: string, width: number): string {
  const flags = `${indent}${flagText(option)}`
  const help = wrap(helpOf(option), { width: width - HELP_COLUMN })
  const margin = ' '.repeat(HELP_COLUMN)
  const [first = '', ...rest] = help
  const head = flags.length <= HELP_COLUMN - 2 ? `${flags.padEnd(HELP_COLUMN)}${first}` : `${flags}\n${margin}${first}`
  return [head, ...rest.map((line) => margin + line)].map((line) => `${line}\n`).join('')
}

function flagText(option: OptionSpec): string {
  const metavar = takesValue(option) ? (option.metavar ?? option.dest.toUpperCase()) : ''
  const short = option.flags.filter((flag) => !flag.startsWith('--'))
  const long = option.flags.filter((flag) => flag.startsWith('--'))
  const show = (flag: string, joint: string): string => (metavar === '' ? flag : `${flag}${joint}${metavar}`)
  return [...short.map((flag) => show(flag, ' ')), ...long.map((flag) => show(flag, '='))].join(', ')
}

/** The help of an option, with its default in it. */
export function helpOf(option: OptionSpec): string {
  const value = option.default
  const shown = value === undefined ? 'none' : value === true ? 'True' : value === false ? 'False' : String(value)
  return option.help.replaceAll('%default', shown)
}
