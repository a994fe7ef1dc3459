// Slots: `__slot__:salt:fun(args).path ~ text` in an argument of a state is what the function answers when the state is called.
import { entries, isList, isMap, type Mapping, mapOf, type Value } from '../value/index.ts'
import { traverse } from '../value/traverse.ts'
import { type CallText, parseCall } from './function-call.ts'

/** Calls an execution function; undefined where nobody has it. */
export type SlotFunctions = (call: CallText) => Promise<Value> | undefined

const SLOT = '__slot__:'

/**
 * The arguments with their slots answered: texts, the values of a map, the items of a list and the values of its maps, but
 * nothing deeper. What is no slot, calls no function there is, or is not `salt:`, stays as it is written. Rejects with what
 * a function throws.
 */
export async function slotsFilled(args: Mapping, functions: SlotFunctions): Promise<Mapping> {
  if (!Object.values(args).some(mayHold)) return args
  const filled: [string, Value][] = []
  for (const [key, value] of Object.entries(args)) filled.push([key, await argumentFilled(value, functions)])
  return mapOf(filled) as Mapping
}

async function argumentFilled(value: Value, functions: SlotFunctions): Promise<Value> {
  if (!mayHold(value)) return value
  if (isMap(value)) return valuesFilled(value, functions)
  if (!isList(value)) return textFilled(value, functions)
  const items: Value[] = []
  for (const item of value)
    items.push(isMap(item) ? await valuesFilled(item, functions) : await textFilled(item, functions))
  return items
}

async function valuesFilled(map: Value, functions: SlotFunctions): Promise<Value> {
  const filled: [Value, Value][] = []
  for (const [key, value] of isMap(map) ? entries(map) : []) filled.push([key, await textFilled(value, functions)])
  return mapOf(filled)
}

function mayHold(value: Value): boolean {
  if (typeof value === 'string') return value.startsWith(SLOT)
  if (isList(value)) return value.some((item) => (isList(item) ? false : mayHold(item)))
  return isMap(value) && entries(value).some(([, item]) => typeof item === 'string' && item.startsWith(SLOT))
}

async function textFilled(text: Value, functions: SlotFunctions): Promise<Value> {
  if (typeof text !== 'string' || !text.startsWith(`${SLOT}salt:`)) return text
  const written = text.slice(SLOT.length + 'salt:'.length)
  const call = parseCall(written)
  const answer = call === undefined ? undefined : functions(call)
  return answer === undefined ? text : appended(pathIn(await answer, written), written)
}

/** What stands behind the last bracket before `~` is a path into the answer; one that leads nowhere is none. */
function pathIn(answer: Value, written: string): Value {
  const [before = ''] = written.split('~')
  const behind = before.includes(')') ? before.slice(before.lastIndexOf(')') + 1) : ''
  const dot = behind.indexOf('.')
  return dot < 0 ? answer : (traverse(answer, behind.slice(dot + 1).trim(), '.') ?? null)
}

/** A text behind the first `~` is appended, where the answer is a text. */
function appended(answer: Value, written: string): Value {
  const mark = written.indexOf('~')
  if (mark < 0 || typeof answer !== 'string') return answer
  const text = written.slice(mark + 1).trim()
  return answer + (/^(["'])[\s\S]*\1$/.test(text) && text.length >= 2 ? text.slice(1, -1) : text)
}
