// The Mersenne Twister as Python's `random.Random` seeds it with an integer and draws from it.

const SIZE = 624
const PERIOD = 397

/** MT19937. */
export class MersenneTwister {
  private readonly state = new Uint32Array(SIZE)
  private at = SIZE

  /** `seed` is not negative. */
  constructor(seed: bigint) {
    const key: number[] = []
    for (let rest = seed; rest > 0n; rest >>= 32n) key.push(Number(rest & 0xffffffffn))
    if (key.length === 0) key.push(0)
    this.seedArray(key)
  }

  private seedOne(seed: number): void {
    this.state[0] = seed
    for (let index = 1; index < SIZE; index++) {
      const before = this.state[index - 1] ?? 0
      this.state[index] = Math.imul(1812433253, before ^ (before >>> 30)) + index
    }
  }

  private seedArray(key: readonly number[]): void {
    this.seedOne(19650218)
    let i = 1
    let j = 0
    for (let count = Math.max(SIZE, key.length); count > 0; count--) {
      const before = this.state[i - 1] ?? 0
      this.state[i] = ((this.state[i] ?? 0) ^ Math.imul(before ^ (before >>> 30), 1664525)) + (key[j] ?? 0) + j
      i++
      j++
      if (i >= SIZE) {
        this.state[0] = this.state[SIZE - 1] ?? 0
        i = 1
      }
      if (j >= key.length) j = 0
    }
    for (let count = SIZE - 1; count > 0; count--) {
      const before = this.state[i - 1] ?? 0
      this.state[i] = ((this.state[i] ?? 0) ^ Math.imul(before ^ (before >>> 30), 1566083941)) - i
      i++
      if (i >= SIZE) {
        this.state[0] = this.state[SIZE - 1] ?? 0
        i = 1
      }
    }
    this.state[0] = 0x80000000
  }

  private refill(): void {
    for (let index = 0; index < SIZE; index++) {
      const high = (this.state[index] ?? 0) & 0x80000000
      const low = (this.state[(index + 1) % SIZE] ?? 0) & 0x7fffffff
      const mixed = high | low
      const turned = (this.state[(index + PERIOD) % SIZE] ?? 0) ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0)
      this.state[index] = turned
    }
    this.at = 0
  }

  private next(): number {
    if (this.at >= SIZE) this.refill()
    let value = this.state[this.at++] ?? 0
    value ^= value >>> 11
    value ^= (value << 7) & 0x9d2c5680
    value ^= (value << 15) & 0xefc60000
    value ^= value >>> 18
    return value >>> 0
  }

  /** A number from 0 to below `limit`, drawn as `Random._randbelow` does. */
  below(limit: number): number {
    if (limit <= 0) return 0
    const bits = limit.toString(2).length
    let value = this.next() >>> (32 - bits)
    while (value >= limit) value = this.next() >>> (32 - bits)
    return value
  }
}
