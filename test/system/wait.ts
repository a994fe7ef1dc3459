// Waits for something to become true, in place of a fixed sleep.

/** Milliseconds until a wait gives up where nothing is said: generous, for machines that are busy. */
export const PATIENCE = 90_000

/** Resolves with the first result that is not undefined; throws, naming what was waited for, when patience ends. */
export async function waitFor<T>(
  what: string | (() => string),
  look: () => T | undefined | Promise<T | undefined>,
  patience: number = PATIENCE,
): Promise<T> {
  const end = performance.now() + patience
  for (let pause = 5; ; pause = Math.min(pause * 1.5, 200)) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > end)
      throw new Error(`waited ${patience / 1000} s in vain for ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
