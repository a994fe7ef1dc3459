// The master: desk, reception and functions, joined over the ports.
import { createAnswers } from './answers.ts'
import { createDesk, type Desk } from './desk.ts'
import { createFunctions, type FunctionExtras, type Functions } from './functions.ts'
import type { MasterOptions } from './options.ts'
import { createPillar, type PillarSource } from './pillar.ts'
import type { Ports } from './ports.ts'
import type { PresenceMemory } from './presence.ts'
import { createReception, type Reception, type ReceptionExtras } from './reception.ts'

/** All that can be asked of a master. */
export interface Master extends Desk, Reception, Functions {}

/** What the platform adds beside the ports. */
export interface MasterExtras extends FunctionExtras, ReceptionExtras {
  /** Where pillar comes from. @default nowhere: every pillar is empty */
  readonly pillar?: PillarSource
  readonly presence?: PresenceMemory
}

/** Joins the use cases. Starts nothing: the platform drives the reactor, presence and sweeps. */
export function createMaster(ports: Ports, options: MasterOptions, extras: MasterExtras): Master {
  const answers = createAnswers({
    runners: () => functions.tables.runner(),
    files: ports.files,
    newJid: () => ports.clock.jid(),
    mines: () => desk.mines,
  })
  const opts = extras.template?.opts ?? {}
  const pillar = createPillar({ ...ports, source: extras.pillar, options, opts, answers })
  const desk = createDesk(ports, options, pillar, extras.presence)
  const functions: Functions = createFunctions(ports, desk, answers, extras)
  return { ...desk, ...createReception(ports, desk, opts, extras), ...functions }
}
