// The master's desk: what it does by itself, without its functions and without whoever knocks at its doors.
import { createFire, type Fire } from './fire.ts'
import { createKeys, type Keys } from './keys.ts'
import { createMines, type Mines } from './mine.ts'
import type { MasterOptions } from './options.ts'
import type { Pillars } from './pillar.ts'
import type { Ports } from './ports.ts'
import { createPresence, type Presence, type PresenceMemory, presenceGrace } from './presence.ts'
import { createPublish, type Publish } from './publish.ts'
import { createResolveTarget, type ResolveTarget } from './targets.ts'

/** Events, jobs, keys, pillars, mines and presence. */
export interface Desk {
  readonly options: MasterOptions
  readonly fire: Fire
  readonly publish: Publish
  readonly resolve: ResolveTarget
  readonly keys: Keys
  readonly pillar: Pillars
  readonly mines: Mines
  readonly presence: Presence
}

/** Joins them. `memory` remembers who was there where several processes look; without it this process alone does. */
export function createDesk(ports: Ports, options: MasterOptions, pillar: Pillars, memory?: PresenceMemory): Desk {
  const fire = createFire(ports.bus, ports.clock)
  const resolve = createResolveTarget(ports.keys, ports.minions, options.nodegroups, (minions) => pillar.known(minions))
  return {
    options,
    fire,
    resolve,
    publish: createPublish(ports, fire, resolve, options),
    keys: createKeys(ports, fire),
    pillar,
    mines: createMines(ports.minions, resolve),
    presence: createPresence(ports, fire, presenceGrace, memory),
  }
}
