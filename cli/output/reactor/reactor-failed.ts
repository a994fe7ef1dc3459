// The outputter of `reactor.failed`: the dead letters, each with its reason, its reactions and its data.
import { get, isList, isMap, type Value } from '../../../core/value/index.ts'
import { type Colours, colours } from '../colour.ts'
import { type OutputOptions, Unprintable } from '../outputter.ts'
import { type Fields, inline, mapsOf, stateWord, textOf, textsOf } from './field.ts'

/** Prints dead letters, and a last line that counts them. */
export function reactorFailed(data: Value, options: OutputOptions): string {
  if (!isList(data) || !data.every(isMap)) throw new Unprintable('reactor_failed', inline(data))
  const shades = colours(options.color)
  const count =
    data.length === 0 ? 'No dead letters.' : data.length === 1 ? '1 dead letter' : `${data.length} dead letters`
  return [...data.filter(isMap).flatMap((letter) => [...letterLines(letter, shades), '']), count].join('\n')
}

function letterLines(letter: Fields, shades: Colours): string[] {
  const reactions = mapsOf(letter, 'reactions')
  const lines = [
    `${textOf(letter, 'event')} ${textOf(letter, 'tag')}, given up at ${textOf(letter, 'given_up')}`,
    ...(reactions.length === 0 ? [`  why: ${textOf(letter, 'reason')}`] : []),
  ]
  for (const reaction of reactions) {
    lines.push(
      `  ${textOf(reaction, 'id')}: ${textOf(reaction, 'call')}: ${stateWord(textOf(reaction, 'state'), shades)}`,
    )
    const failures = textsOf(reaction, 'failures').map((failure, index) => `try ${index + 1} failed: ${failure}`)
    const reason = textOf(reaction, 'reason')
    lines.push(...[...failures, ...(reason === '' ? [] : [`why: ${reason}`])].map((line) => `    ${line}`))
  }
  return [...lines, `  data: ${inline(get(letter, 'data'))}`]
}
