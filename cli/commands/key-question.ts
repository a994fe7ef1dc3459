// The question before keys change.
import type { Io } from './io.ts'

/** Asks. Enter means no where something would be lost, yes elsewhere; the end of input means no. */
export async function confirmed(io: Io, losing: boolean): Promise<boolean> {
  const answer = await io.ask(losing ? 'Proceed? [N/y] ' : 'Proceed? [n/Y] ')
  if (answer === undefined) {
    io.err('Error: EOF when reading a line\n')
    return false
  }
  return answer === '' ? !losing : answer.toLowerCase().startsWith('y')
}
