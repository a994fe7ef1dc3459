// What disks tell of themselves: hdparm, smartctl, iostat.
import { Dict, float, isList, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError } from '../errors.ts'
import type { Call } from '../module.ts'
import { outputOf, requirePrograms, runProgram } from '../program.ts'
import { disksOf } from './block-devices.ts'

const isWhole = (text: string): boolean => /^[-+]?\d+$/.test(text)

/** Values of a line of hdparm: numbers and words, and what is set by `=` among them as a map at the end. */
function hdparmValue(text: string): Value | undefined {
  if (/^\d+ \(.*\)/.test(text)) {
    const [number = '', word = ''] = text.split(' ')
    return [Number(number), word.replaceAll(/^[()]+|[()]+$/g, '')]
  }
  const values: Value[] = []
  const named: Mapping = {}
  for (const part of text.split(/[/,]/).map((one) => one.trim())) {
    const sign = part.indexOf('=')
    if (isWhole(part)) values.push(Number(part))
    else if (sign >= 0) {
      const value = part.slice(sign + 1).trim()
      if (value !== '') named[part.slice(0, sign).trim()] = value
    } else if (part !== '') values.push(part)
  }
  if (Object.keys(named).length > 0) values.push(named)
  return values.length > 1 ? values : values[0]
}

function hdparmTable(text: string, disk: string): Mapping {
  const told: Mapping = {}
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '' || line === `${disk}:`) continue
    const at = line.includes(':') ? line.indexOf(':') : line.indexOf('=')
    if (at < 0) continue
    const name = line.includes(':') ? line.slice(0, at).replace(/ is$/, '') : line.slice(0, at)
    const value = hdparmValue(line.slice(at + 1).trim())
    if (value !== undefined) told[name.trim().toLowerCase().replaceAll(' ', '_')] = value
  }
  return told
}

/** What hdparm tells of disks; nothing of those that do not answer. */
export async function parameters(call: Call, disks: Value, flags: Value): Promise<Record<string, Mapping>> {
  await requirePrograms('hdparm')
  const letters = isList(flags) ? flags.map(pythonStr).join('') : pythonStr(flags)
  const told: Record<string, Mapping> = {}
  for (const disk of disksOf(disks)) {
    const { retcode, stdout, stderr } = await runProgram(call, ['hdparm', `-${letters}`, disk])
    if (retcode !== 0) call.agent.outside.log.warn(`hdparm -${letters} ${disk}: ${stderr}`)
    told[disk] = hdparmTable(stdout, disk)
  }
  return told
}

/** How many sectors are hidden; with a size, hides as many (or that part in percent) and returns None. */
export async function protectedArea(args: Arguments, call: Call): Promise<Value> {
  const told: Record<string, { total: number; visible?: number; hidden?: number }> = {}
  for (const [disk, table] of Object.entries(await parameters(call, args.value('disks'), 'N'))) {
    const [values] = Object.values(table)
    if (!isList(values ?? null)) throw new CommandExecutionError(`hdparm does not tell the sectors of ${disk}`)
    const [visible, total, status] = values as Value[]
    const isWholeDisk = visible === total || pythonStr(status ?? '').includes('disabled')
    const [all, seen] = [Number(total), Number(visible)]
    told[disk] = isWholeDisk ? { total: all } : { total: all, visible: seen, hidden: all - seen }
  }
  if (args.value('size') === null) return told
  const wanted = args.text('size')
  for (const [disk, { total }] of Object.entries(told)) {
    const part = Number(wanted.replaceAll('%', ''))
    const left = Math.floor(wanted.includes('%') ? ((100 - part) * total) / 100 : total - part)
    const sectors = left > 0 ? left : total
    const words = ['hdparm', '--yes-i-know-what-i-am-doing', `-Np${sectors}`, disk]
    const { retcode, stderr } = await runProgram(call, words)
    if (retcode !== 0) throw new CommandExecutionError(`${words.join(' ')}: ${stderr}`)
  }
  return null
}

function smartValue(text: string): Value {
  if (isWhole(text)) return Number(text)
  const parts = text.split(' ')
  return parts.every(isWhole) ? parts.map(Number) : text
}

/** The attributes by which a disk tells how it is, by their numbers. */
export async function attributes(args: Arguments, call: Call): Promise<Value> {
  const device = args.text('dev').startsWith('/dev/') ? args.text('dev') : `/dev/${args.text('dev')}`
  const { retcode, stdout, stderr } = await runProgram(call, ['smartctl', '--attributes', device])
  if (retcode !== 0) throw new CommandExecutionError(stderr)
  const lines = stdout.split('\n')
  const head = lines.findIndex((line) => line.startsWith('ID#'))
  const fields = (lines[head] ?? '').trim().toLowerCase().split(/\s+/).slice(1)
  const only = (name: string): readonly string[] | undefined =>
    args.value(name) === null ? undefined : args.texts(name)
  const [numbers, names] = [only('attributes'), only('values')]
  const told = new Dict()
  for (const line of head < 0 ? [] : lines.slice(head + 1)) {
    if (!/^\s*\d/.test(line)) break
    const words = line.trim().split(/\s+/)
    const [number = ''] = words
    if (numbers?.includes(number) === false) continue
    // The last field holds all that is left.
    const values = [...words.slice(1, fields.length), lastField(line, fields.length)]
    const pairs = fields.map((field, at): [string, Value] => [field, smartValue(values[at] ?? '')])
    told.set(Number(number), Object.fromEntries(pairs.filter(([field]) => names?.includes(field) !== false)))
  }
  return told
}

/** What stands behind so many words. */
const lastField = (line: string, words: number): string =>
  new RegExp(`^\\s*(?:\\S+\\s+){${words}}(.*)$`).exec(line)?.[1]?.trimEnd() ?? ''

/** The mean of decimal numbers, with two places, to the even one where it lies between two. */
function mean(texts: readonly string[]): Value {
  const scale = 10n ** 6n
  const sum = texts.reduce((all, text) => {
    const [whole = '0', rest = ''] = text.split('.')
    return all + BigInt(whole) * scale + BigInt(rest.padEnd(6, '0').slice(0, 6))
  }, 0n)
  const [numerator, denominator] = [sum * 100n, scale * BigInt(texts.length)]
  const [floor, left] = [numerator / denominator, (numerator % denominator) * 2n]
  const up = left > denominator || (left === denominator && floor % 2n === 1n)
  return float(Number(up ? floor + 1n : floor) / 100)
}

const means = (header: readonly string[], rows: readonly (readonly string[])[]): Mapping =>
  Object.fromEntries(header.map((name, column) => [name, mean(rows.map((row) => row[column] ?? '0'))]))

/** What iostat counts, as means over the times it looks; of the processors under `sys`. */
export async function statistics(args: Arguments, call: Call): Promise<Value> {
  await requirePrograms('iostat')
  const disks = args.value('disks')
  const names = disks === null ? [] : isList(disks) ? disks.map(pythonStr) : [pythonStr(disks)]
  const words = [disks === null ? '-x' : '-xd', args.text('interval'), args.text('count'), ...names]
  const tables = new Map<string, { header: string[]; rows: string[][] }>()
  let header: string[] = []
  let isSystem = false
  for (const line of (await outputOf(call, ['iostat', ...words])).split('\n')) {
    const [first = '', ...rest] = line.trim().split(/\s+/)
    if (first === 'avg-cpu:' || first === 'Device:' || first === 'Device') {
      header = rest
      isSystem = first === 'avg-cpu:'
    } else if (header.length > 0 && first !== '') {
      const name = isSystem ? 'sys' : first
      const table = tables.get(name) ?? { header, rows: [] }
      table.rows.push(isSystem ? [first, ...rest] : rest)
      tables.set(name, table)
    } else header = []
  }
  return Object.fromEntries([...tables].map(([name, table]) => [name, means(table.header, table.rows)]))
}
