// How often a fault is brought about: as often as promised, a tenth of it in CI, in proportion where `--rounds` says so.

/** Of `full`, as many as this run does; at least `least`. */
export function rounds(full: number, least = 1): number {
  const asked = process.env.BRINE_ROUNDS
  const share = asked === undefined ? (process.env.CI === 'true' ? 0.1 : 1) : Number(asked) / 100
  return Math.max(least, Math.round(full * share))
}

/** 0 up to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A seed for this run, printed so that it can be had again by BRINE_SEED. */
export function seedOf(name: string): number {
  const seed = Number(process.env.BRINE_SEED ?? Date.now() % 1_000_000)
  console.log(`${name}: BRINE_SEED=${seed}`)
  return seed
}
