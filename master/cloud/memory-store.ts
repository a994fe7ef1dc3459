// What is remembered while machines are made, in memory: for tests, and to show what the port promises.
import type { CloudStore, Expected } from './ports.ts'

/** A {@link CloudStore} that forgets with its process. `now` answers microseconds. */
export function createMemoryCloudStore(now: () => number): CloudStore {
  const begun = new Map<string, { readonly token: string; readonly until: number }>()
  const machines = new Map<string, Expected>()
  const standing = (name: string) => {
    const each = begun.get(name)
    return each !== undefined && each.until > now() ? each.token : undefined
  }
  const awaited = (instance: string) => {
    const expected = machines.get(instance)
    return expected !== undefined && expected.until > now() ? expected : undefined
  }
  return {
    async begin(name, token, until) {
      const known = standing(name)
      if (known === undefined) begun.set(name, { token, until })
      return known ?? token
    },
    async begun(name) {
      return standing(name)
    },
    async ended(name) {
      begun.delete(name)
    },
    async expect(instance, expected) {
      const finger = machines.get(instance)?.finger
      machines.set(instance, { ...expected, ...(finger === undefined ? {} : { finger }) })
    },
    async expected(instance) {
      return awaited(instance)
    },
    async claim(instance, finger) {
      const expected = awaited(instance)
      if (expected === undefined || expected.finger !== undefined) return expected
      const claimed = { ...expected, finger }
      machines.set(instance, claimed)
      return claimed
    },
    async forget(instance) {
      machines.delete(instance)
    },
  }
}
