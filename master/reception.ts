// The master's reception: minions prove their keys here, and what they send is taken.
import type { AutosignRules } from '../core/autosign/index.ts'
import type { Mapping } from '../core/value/index.ts'
import { type Authenticate, createAuthenticate } from './authenticate.ts'
import { type Collect, createCollect } from './collect.ts'
import type { Desk } from './desk.ts'
import type { Ports } from './ports.ts'
import { createReceiveFile, type ReceiveSettings } from './receive-file.ts'
import { stateOptionsOf } from './state-options.ts'

/** What minions reach. */
export interface Reception {
  readonly collect: Collect
  readonly authenticate: Authenticate
  readonly receiveFile: ReturnType<typeof createReceiveFile>
  /** Those settings of the master that steer its minions' state runs. */
  readonly stateOptions: Mapping
}

/** Verifies what a new minion shows beside its key; absent means that nothing is. */
export type VerifyIdentity = Parameters<typeof createAuthenticate>[3]

/** What the platform adds: what is known of new minions beside their keys, and room for what minions send. */
export interface ReceptionExtras {
  readonly verifyIdentity?: VerifyIdentity
  /** Which keys are accepted and rejected by themselves. @default none */
  readonly autosign?: () => Promise<AutosignRules>
  /** Where files go that minions push. @default none are taken */
  readonly receive?: ReceiveSettings
}

/** Joins it over a desk. `opts` are the master's options as templates see them. */
export function createReception(ports: Ports, desk: Desk, opts: Mapping, checks: ReceptionExtras = {}): Reception {
  return {
    collect: createCollect(ports, desk.fire),
    authenticate: createAuthenticate(ports, desk.fire, desk.options, checks.verifyIdentity, checks.autosign),
    receiveFile: createReceiveFile(checks.receive),
    stateOptions: stateOptionsOf(opts),
  }
}
