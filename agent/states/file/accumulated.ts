// `file.accumulated`: texts gathered by several states for one file, which a template or a block then prints.

import { type Low, lowText } from '../../../core/state/index.ts'
import { entries, get, isList, isMap, type Mapping, pythonStr } from '../../../core/value/index.ts'
import { emptyAccumulators } from '../accumulators.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed } from './outcome.ts'

/** The texts gathered for a file, by accumulator; undefined where there are none. */
export function accumulatedFor(call: StateCall, file: string): Mapping | undefined {
  const gathered = call.accumulators.get(file)
  return gathered === undefined ? undefined : Object.fromEntries(gathered.texts)
}

/** The lines gathered for a block of a file: those meant for this very state, or where none is, all. */
export function accumulatedLines(call: StateCall, file: string): string[] {
  const gathered = call.accumulators.get(file)
  if (gathered === undefined) return []
  const id = lowText(call.low, '__id__')
  const meant = [...gathered.texts.keys()].filter((name) => gathered.users.get(name)?.includes(id) === true)
  return (meant.length > 0 ? meant : [...gathered.texts.keys()]).flatMap((name) =>
    (gathered.texts.get(name) ?? []).map(pythonStr),
  )
}

/** The states that `require_in` and `watch_in` name, by the kind of state. */
function dependents(low: Low): { kind: string; id: string }[] {
  return ['require_in', 'watch_in'].flatMap((key) => {
    const list = get(low, key)
    return (isList(list) ? list : []).flatMap((item) =>
      isMap(item) ? entries(item).map(([kind, id]) => ({ kind: pythonStr(kind), id: pythonStr(id) })) : [],
    )
  })
}

/** `file.accumulated`. */
export const accumulated = defineState(
  'name, filename, text, **kwargs',
  `Gather text for a file. The file's template sees it as \`\`accumulator\`\`, \`\`file.blockreplace\`\` puts it into its block.

filename
    The file it is for.
text
    A text or a list of them.

It needs a \`\`require_in\`\` or \`\`watch_in\`\` of the \`\`file\`\` state that prints it.${slsExample(`
animals_doing_things:
  file.accumulated:
    - filename: /tmp/animal_file.txt
    - text: ' jumps over the lazy dog.'
    - require_in:
      - file: animal_file`)}`,
  (args, call) => {
    const name = args.text('name')
    const ret = begun(name)
    const text = args.value('text')
    if (text === null) return failed(ret, 'No text supplied for accumulator')
    const users = dependents(call.low)
    if (!users.some(({ kind }) => kind === 'file')) {
      return failed(
        ret,
        `Orphaned accumulator ${name} in ${lowText(call.low, '__sls__')}:${lowText(call.low, '__id__')}`,
      )
    }
    const file = args.text('filename')
    const gathered = call.accumulators.get(file) ?? emptyAccumulators()
    call.accumulators.set(file, gathered)
    gathered.users.set(name, [...(gathered.users.get(name) ?? []), ...users.map(({ id }) => id)])
    const before = gathered.texts.get(name) ?? []
    const fresh = (Array.isArray(text) ? text : [text]).filter((chunk) => !before.includes(chunk))
    gathered.texts.set(name, [...before, ...fresh])
    return ended(ret, true, fresh.length === 0 ? '' : `Accumulator ${name} for file ${file} was charged by text`)
  },
)
