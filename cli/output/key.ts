// The key outputter: the lists of keys that salt-key prints.
import { entries, isList, isMap, pythonStr, type Value } from '../../core/value/index.ts'
import { sortedEntries } from '../../core/yaml-writer/sorted-entries.ts'
import { type Colour, colours, stripEscapes } from './colour.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'

interface Heading {
  readonly title: string
  readonly heading: Colour
  readonly key: Colour
}

const HEADINGS = new Map<Value, Heading>([
  ['minions', { title: 'Accepted Keys:', heading: 'LIGHT_GREEN', key: 'GREEN' }],
  ['minions_pre', { title: 'Unaccepted Keys:', heading: 'LIGHT_RED', key: 'RED' }],
  ['minions_denied', { title: 'Denied Keys:', heading: 'LIGHT_MAGENTA', key: 'MAGENTA' }],
  ['minions_rejected', { title: 'Rejected Keys:', heading: 'LIGHT_BLUE', key: 'BLUE' }],
  ['local', { title: 'Local Keys:', heading: 'LIGHT_MAGENTA', key: 'MAGENTA' }],
])

/**
 * Prints `{minions: [...], minions_pre: [...], …}`: a heading a state, ids sorted below it; where a state holds a map
 * (fingerprints, public keys) `id:  value`. A state Salt does not know cannot be printed.
 */
export function key(data: Value, options: OutputOptions): string {
  if (!isMap(data)) throw new Unprintable('key', 'anything but a map of key lists')
  const palette = colours(options.color)
  const indent = options.multiKey === true ? '    ' : ''
  const show = options.stripColors === false ? (text: string) => text : stripEscapes
  let text = ''
  for (const [state, keys] of sortedEntries(entries(data))) {
    const heading = HEADINGS.get(state)
    if (heading === undefined) throw new Unprintable('key', `the key state ${pythonStr(state)}`)
    text += `${indent}${palette[heading.heading]}${heading.title}${palette.ENDC}\n`
    for (const line of keyLines(keys))
      text += `${indent}${palette[heading.key]}${show(line.id)}${line.rest}${palette.ENDC}\n`
  }
  return text
}

function keyLines(keys: Value): { id: string; rest: string }[] {
  const pairs: [Value, Value][] = isMap(keys) ? entries(keys) : isList(keys) ? keys.map((id) => [id, null]) : []
  return sortedEntries(pairs).map(([id, value]) => ({
    id: pythonStr(id),
    rest: isMap(keys) ? `:  ${pythonStr(value)}` : '',
  }))
}
