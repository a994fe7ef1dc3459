// The lines about one reaction: its call, how it stands, and what came of it on each minion.
import { get, isMap, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Colours } from '../colour.ts'
import { after, argumentsOf, type Fields, hasField, inline, mapOfField, stateWord, textOf, textsOf } from './field.ts'

/** `id: local.state.apply(web) on web1: done`. */
export function reactionHeading(reaction: Fields, colours: Colours): string {
  const success = get(reaction, 'success')
  const state = textOf(reaction, 'state')
  const word = state === 'done' && success === false ? 'unsuccessful' : state
  const call = `${textOf(reaction, 'call')}(${argumentsOf(reaction)})`
  return `${textOf(reaction, 'id')}: ${call}${targetOf(reaction)}: ${stateWord(word, colours, success)}`
}

function targetOf(reaction: Fields): string {
  if (!hasField(reaction, 'tgt')) return ''
  const type = textOf(reaction, 'tgt_type')
  return ` on ${inline(get(reaction, 'tgt'))}${type === 'glob' ? '' : ` (${type})`}`
}

/** What is to be said below the heading, without the minions. `from` is the stamp that times are told after. */
export function reactionLines(reaction: Fields, from: string): string[] {
  const lines = [
    ...textsOf(reaction, 'requisites'),
    ...textsOf(reaction, 'failures').map((failure, index) => `try ${index + 1} failed: ${failure}`),
  ]
  const reason = textOf(reaction, 'reason')
  if (reason !== '') lines.push(`why: ${reason}`)
  lines.push(...textsOf(reaction, 'warnings').map((warning) => `note: ${warning}`))
  const jid = textOf(reaction, 'jid')
  const started = textOf(reaction, 'started')
  const kind = hasField(reaction, 'tgt') ? 'job' : 'run'
  if (jid !== '' && started !== '') lines.push(`${kind} ${jid}, ${after(started, from)}`)
  if (hasField(reaction, 'lease_until')) lines.push(`its worker holds it until ${textOf(reaction, 'lease_until')}`)
  if (hasField(reaction, 'redrivable')) lines.push('brine-run reactor.redrive may try it again')
  return lines
}

/** What each minion said, or why it said nothing yet; and what a run returned. */
export function outcomeLines(reaction: Fields, from: string, colours: Colours): string[] {
  const minions = mapOfField(reaction, 'minions')
  const pairs = minions instanceof Map ? [...minions] : Object.entries(minions)
  const run = mapOfField(reaction, 'run')
  return [
    ...pairs.map(([id, story]) => minionLine(pythonStr(id), isMap(story) ? story : {}, from, colours)),
    ...(hasField(run, 'at')
      ? [`${outcome('returned', run, colours)}, ${after(textOf(run, 'at'), from)}${returned(run)}`]
      : []),
  ]
}

function minionLine(id: string, story: Fields, from: string, colours: Colours): string {
  const state = textOf(story, 'state')
  if (state === 'returned') {
    const cut = hasField(story, 'interrupted') ? ', interrupted' : ''
    return `${id} ${outcome('returned', story, colours)}${cut}, ${after(textOf(story, 'at'), from)}${returned(story)}`
  }
  if (state === 'unknown') return `${id}: ${textOf(story, 'reason')}`
  const there = get(story, 'connected') === true ? 'it is connected' : 'it is not connected'
  const until = textOf(story, 'until')
  return state === 'waiting'
    ? `${id} ${stateWord('waiting', colours)}: ${there}, and the job waits for it until ${until}`
    : `${id} ${stateWord('expired', colours)}: ${there}, and did not return by ${until}`
}

function outcome(word: string, story: Fields, colours: Colours): string {
  const success: Value = get(story, 'success') ?? true
  return success === false ? `${stateWord('failed', colours, false)}${retcodeOf(story)}` : stateWord(word, colours)
}

function retcodeOf(story: Fields): string {
  const retcode = get(story, 'retcode')
  return retcode === undefined || retcode === 0 ? '' : ` (retcode ${inline(retcode)})`
}

function returned(story: Fields): string {
  const value = get(story, 'return')
  return value === undefined || value === null ? '' : `: ${inline(value)}`
}
