// ULIDs that rise within a process: 48 bits of time, 80 bits that start random each millisecond and count up.
import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const DIGITS = [...ALPHABET]
const HALF = 2 ** 40

/**
 * A source of ULIDs, each greater than the one before as long as `milliseconds` never goes back.
 * One instance a process; two processes may interleave but never meet (80 random bits).
 */
export class UlidSource {
  #time = -1
  #prefix = ''
  #high = 0
  #low = 0
  readonly #random = new Uint8Array(10)

  next(milliseconds: number): string {
    if (milliseconds > this.#time) this.#begin(milliseconds)
    else this.#increment()
    return this.#prefix + digits(this.#high, 8) + digits(this.#low, 8)
  }

  #begin(milliseconds: number): void {
    this.#time = milliseconds
    this.#prefix = digits(milliseconds, 10)
    randomFillSync(this.#random)
    // The top bit stays clear, so that a millisecond never runs out of numbers.
    this.#high = number(this.#random, 0) % (HALF / 2)
    this.#low = number(this.#random, 5)
  }

  #increment(): void {
    this.#low++
    if (this.#low < HALF) return
    this.#low = 0
    this.#high++
  }
}

function number(bytes: Uint8Array, from: number): number {
  let result = 0
  for (let index = from; index < from + 5; index++) result = result * 256 + (bytes[index] ?? 0)
  return result
}

function digits(value: number, length: number): string {
  let rest = value
  let text = ''
  for (let index = 0; index < length; index++) {
    const low = rest % 32
    text = (DIGITS[low] ?? '0') + text
    rest = (rest - low) / 32
  }
  return text
}
