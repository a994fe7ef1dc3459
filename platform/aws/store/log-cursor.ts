// Cursors of the event log: which log, and a position in each of its shards.
import { BrineError } from '../../../core/error.ts'
import type { Cursor } from '../../../master/ports.ts'

/** A position a shard; a shard that came later has none yet and is read from its beginning. */
export type Positions = readonly number[]

const CURSOR = /^([0-9a-f]{12})\.([0-9a-z]{1,10}(?:-[0-9a-z]{1,10})*)$/

/** The cursor of these positions. */
export function cursorOf(log: string, positions: Positions): Cursor {
  return `${log}.${positions.map((position) => position.toString(36)).join('-')}`
}

/** What a cursor says. Throws `cursor` for what is none. */
export function positionsOf(cursor: Cursor): { readonly log: string; readonly positions: Positions } {
  const match = CURSOR.exec(cursor)
  if (match === null) {
    throw new BrineError(
      `"${cursor}" is no cursor of an event log. Use one that the log gave, or read from the oldest.`,
      {
        code: 'cursor',
      },
    )
  }
  const positions = (match[2] ?? '').split('-').map((digits) => Number.parseInt(digits, 36))
  return { log: match[1] ?? '', positions }
}
