// The outputter of `reactor.test`: what an event would lead to, file by file.
import { entries, get, isMap, pythonStr, type Value } from '../../../core/value/index.ts'
import { type Colours, colours } from '../colour.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { argumentsOf, behind, type Fields, hasField, inline, mapOfField, mapsOf, textOf, textsOf } from './field.ts'

/** Prints a trial. */
export function reactorTest(data: Value, options: OutputOptions): string {
  if (!isMap(data) || !hasField(data, 'files')) throw new Unprintable('reactor_test', inline(data))
  const shades = colours(options.color)
  const files = mapsOf(data, 'files')
  if (files.length === 0) return [`No entry of the reactor matches ${textOf(data, 'tag')}.`, ...missed(data)].join('\n')
  const lines = files.flatMap((file) => [...fileLines(file, shades), ''])
  const order = textsOf(data, 'order')
  if (order.length > 1) lines.push(`They would start in this order: ${order.join(', ')}`)
  return lines.join('\n')
}

function missed(data: Fields): string[] {
  return mapsOf(data, 'unmatched').map((entry) => `  - ${textOf(entry, 'glob')}: ${textOf(entry, 'reason')}`)
}

function fileLines(file: Fields, shades: Colours): string[] {
  const lines = [`${textOf(file, 'sls')} (${textOf(file, 'glob')}):`]
  const text = textOf(file, 'text')
  if (text.trim() !== '') lines.push(...behind('  | ', text))
  if (hasField(file, 'error')) {
    return [...lines, ...behind(`  ${shades.LIGHT_RED}!${shades.ENDC} `, textOf(file, 'error'))]
  }
  const reactions = mapsOf(file, 'reactions')
  if (reactions.length === 0) return [...lines, '  no reaction']
  return [...lines, ...reactions.flatMap((reaction) => reactionLines(reaction, shades))]
}

function reactionLines(reaction: Fields, shades: Colours): string[] {
  const chunk = mapOfField(reaction, 'chunk')
  const what = `${textOf(chunk, 'state')}.${textOf(chunk, 'fun')}`
  const lines = [`  ${textOf(chunk, '__id__')}: ${callOf(what, mapOfField(reaction, 'call'))}`]
  const requisites = entries(chunk).filter(([key]) => REQUISITES.has(pythonStr(key)))
  for (const [key, value] of requisites) lines.push(`    ${pythonStr(key)}: ${inline(value)}`)
  if (hasField(reaction, 'refused')) {
    lines.push(`    ${shades.LIGHT_RED}refused${shades.ENDC}: ${textOf(reaction, 'refused')}`)
  }
  for (const warning of textsOf(reaction, 'warnings')) lines.push(`    note: ${warning}`)
  return lines
}

const REQUISITES = new Set(
  ['require', 'watch', 'onchanges', 'onfail'].flatMap((name) => [name, `${name}_any`]).concat('onfail_all', 'prereq'),
)

/** The call as it would be made, with its arguments bound: `local.state.apply(web) on web1`. */
function callOf(what: string, call: Fields): string {
  const client = textOf(call, 'client')
  if (client === '') return what
  if (client !== 'local')
    return `${what}(${argumentsOf(client === 'caller' ? renamed(call) : mapOfField(call, 'low'))})`
  const kwargs = mapOfField(call, 'kwargs')
  const type = get(kwargs, 'tgt_type')
  const how = type === undefined || type === 'glob' ? '' : ` (${inline(type)})`
  return `${what}(${argumentsOf(kwargs)}) on ${inline(get(call, 'tgt'))}${how}`
}

function renamed(call: Fields): Fields {
  return { arg: get(call, 'args') ?? [], kwarg: get(call, 'kwargs') ?? {} }
}
