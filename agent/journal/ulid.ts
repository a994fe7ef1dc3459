// Ids that sort by the time they were made.
import type { EventId } from '../../core/event/event.ts'
import type { Outside } from '../outside.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Makes ULIDs that rise within the process: within one millisecond the random part is counted up, for which its first bit is left free. */
export function createUlids(outside: Pick<Outside, 'now' | 'random'>): () => EventId {
  let time = 0
  let chance: number[] = []
  return () => {
    const now = Math.floor(outside.now() / 1000)
    if (now > time) {
      time = now
      chance = Array.from({ length: 16 }, (_, place) => Math.floor(outside.random() * (place === 0 ? 16 : 32)))
    } else {
      increase(chance)
    }
    return base32(time) + chance.map((digit) => alphabet[digit]).join('')
  }
}

/** Milliseconds since 1970 at which a ULID was made; 0 for what is none. */
export function timeOfUlid(id: EventId): number {
  let time = 0
  for (const char of id.slice(0, 10)) {
    const digit = alphabet.indexOf(char)
    if (digit < 0) return 0
    time = time * 32 + digit
  }
  return time
}

function increase(digits: number[]): void {
  for (let place = digits.length - 1; place >= 0; place--) {
    const digit = (digits[place] ?? 0) + 1
    digits[place] = digit % 32
    if (digit < 32) return
  }
}

function base32(time: number): string {
  let text = ''
  for (let rest = time, place = 0; place < 10; place++, rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}
