// How a port's contract is run: one list of cases, every adapter, a skipped case needs a reason.
import { afterEach, describe, expect, it } from 'vitest'

/** A fresh adapter with nothing stored. */
export interface Subject<P> {
  readonly port: P
  /** Ends this one in good order and opens another over the same storage. */
  reopen(): Promise<Subject<P>>
  close(): Promise<void>
}

/** Makes a subject over storage of its own. */
export type MakeSubject<P> = () => Promise<Subject<P>>

/** Names of cases that an adapter cannot pass, each with the reason. */
export type Skips = Readonly<Record<string, string>>

/** What a case works with: the port, and the same storage opened again. */
export interface Stage<P> {
  readonly port: P
  /** Opens the storage again; `port` of the answer replaces the one before. */
  reopen(): Promise<P>
}

/** The cases of a contract by name. */
export type Cases<P> = Readonly<Record<string, (stage: Stage<P>) => Promise<void>>>

/** Declares a contract's cases for one adapter. */
export function describeContract<P>(
  port: string,
  adapter: string,
  cases: Cases<P>,
  make: MakeSubject<P>,
  skips: Skips = {},
): void {
  describe(`${port}: ${adapter}`, () => {
    let open: Subject<P> | undefined
    afterEach(async () => {
      await open?.close()
      open = undefined
    })

    for (const [name, run] of Object.entries(cases)) {
      const reason = skips[name]
      it.skipIf(reason !== undefined)(reason === undefined ? name : `${name} (${reason})`, async () => {
        const subject = await make()
        open = subject
        await run({
          port: subject.port,
          reopen: async () => {
            open = await (open ?? subject).reopen()
            return open.port
          },
        })
      })
    }

    it('skips only cases there are, each for a reason', () => {
      for (const [name, reason] of Object.entries(skips)) {
        expect(Object.keys(cases)).toContain(name)
        expect(reason.length).toBeGreaterThan(10)
      }
    })
  })
}
