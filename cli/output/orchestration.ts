// The outputter of `orch.show`: each step with what it waits for, how it stands, its jobs, its time.
import { get, isList, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { type Colour, type Colours, colours } from './colour.ts'
import { type OutputOptions, Unprintable } from './outputter.ts'

/** A mark and a colour for each way a step can stand. */
const MARKS: Readonly<Record<string, readonly [mark: string, colour: Colour]>> = {
  done: ['✓', 'LIGHT_GREEN'],
  failed: ['✗', 'LIGHT_RED'],
  'not run': ['-', 'LIGHT_RED'],
  skipped: ['-', 'CYAN'],
  running: ['▸', 'LIGHT_YELLOW'],
  starting: ['▸', 'LIGHT_YELLOW'],
  retrying: ['↻', 'LIGHT_YELLOW'],
  paused: ['‖', 'YELLOW'],
  waiting: ['·', 'CYAN'],
}
const barWidth = 30

/** Prints how an orchestration stands. */
export function orchestration(data: Value, options: OutputOptions): string {
  if (!isMap(data) || !isList(get(data, 'steps') ?? null)) throw new Unprintable('orchestration', pythonStr(data))
  const shades = colours(options.color)
  const steps = (get(data, 'steps') as readonly Value[]).filter(isMap)
  const text = (key: string): string => pythonStr(get(data, key) ?? '')
  const finished = get(data, 'finished') === undefined ? '' : `, finished ${text('finished')}`
  const head = [
    `${text('jid')} ${text('mods')}: ${text('status')}`,
    `started ${text('started')}${finished}, by ${text('user')}`,
    meter(Number(text('ended')), Number(text('steps') === '' ? 0 : steps.length), Number(text('failed')), shades),
  ]
  const width = Math.max(0, ...steps.map((step) => pythonStr(get(step, 'id') ?? '').length))
  return [...head, ...steps.flatMap((step) => stepLines(step as Mapping, width, shades))].join('\n')
}

/** A bar of what has ended: `██████░░░░ 3 of 5 steps, 1 failed`. */
export function meter(ended: number, steps: number, failed: number, shades: Colours): string {
  const filled = steps === 0 ? barWidth : Math.round((barWidth * ended) / steps)
  const colour = failed > 0 ? shades.LIGHT_RED : shades.LIGHT_GREEN
  const bar = `${colour}${'█'.repeat(filled)}${shades.ENDC}${'░'.repeat(barWidth - filled)}`
  return `${bar} ${ended} of ${steps} steps${failed > 0 ? `, ${failed} failed` : ''}`
}

function stepLines(step: Mapping, width: number, shades: Colours): string[] {
  const text = (key: string): string => pythonStr(step[key] ?? '')
  const state = text('state')
  const [mark, colour] = MARKS[state] ?? ['?', 'ENDC']
  const seconds = step.seconds === undefined ? '' : `, ${Number(pythonStr(step.seconds)).toFixed(1)} s`
  const of = text('name') === text('id') || text('name') === '' ? text('fun') : `${text('fun')} ${text('name')}`
  const line = `  ${shades[colour]}${mark}${shades.ENDC} ${text('id').padEnd(width)}  ${of}: ${state}${seconds}`
  return [line, ...below(step).map((more) => `      ${more}`)]
}

function below(step: Mapping): string[] {
  const listed = (key: string): string => (isList(step[key]) ? step[key].map(pythonStr).join(', ') : '')
  const comment = pythonStr(step.comment ?? '').trimEnd()
  return [
    ...(listed('after') === '' ? [] : [`after: ${listed('after')}`]),
    ...(listed('jids') === '' ? [] : [`jobs: ${listed('jids')}`]),
    ...(listed('minions') === '' ? [] : [`minions: ${listed('minions')}`]),
    ...(listed('left') === '' ? [] : [`waits for ${pythonStr(step.events ?? '')} of: ${listed('left')}`]),
    ...(comment === '' ? [] : comment.split('\n')),
  ]
}
