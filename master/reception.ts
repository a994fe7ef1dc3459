// The master's reception: minions prove their keys here, and what they send is taken.
import type { AutosignRules } from '../core/autosign/index.ts'
import type { Mapping } from '../core/value/index.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { type Collect, createCollect } from './collect.ts'
import type { Desk } from './desk.ts'
import type { Ports } from './ports.ts'
import { stateOptionsOf } from './state-options.ts'

/** What minions reach. */
export interface Reception {
  readonly collect: Collect
  readonly authenticate: Authenticate
  /** Those settings of the master that steer its minions' state runs. */
  readonly stateOptions: Mapping
}

/** Verifies what a new minion shows beside its key; absent means that nothing is. */
export type VerifyIdentity = Parameters<typeof createAuthenticate>[3]

/** What is known of new minions beside their keys. */
export interface NewcomerChecks {
  readonly verifyIdentity?: VerifyIdentity
  /** Which keys are accepted and rejected by themselves. @default none */
  readonly autosign?: () => Promise<AutosignRules>
}

/** Joins it over a desk. `opts` are the master's options as templates see them. */
export function createReception(ports: Ports, desk: Desk, opts: Mapping, checks: NewcomerChecks = {}): Reception {
  return {
    collect: createCollect(ports, desk.fire),
    authenticate: createAuthenticate(ports, desk.fire, desk.options, checks.verifyIdentity, checks.autosign),
    stateOptions: stateOptionsOf(opts),
  }
}
