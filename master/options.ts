// What a master can be told, apart from its ports.

/** A master's own settings, with Salt's names where Salt has them. All times in seconds. */
export interface MasterOptions {
  /** What assertions name as their audience: the bootstrap URL's origin, or a chosen name. */
  readonly id: string
  /** The user whose name stands in events for the local principal. */
  readonly user: string
  readonly version: string
  readonly autoAccept: boolean
  /** 0 for no limit. */
  readonly maxMinions: number
  /** No more pending keys than this; a further one is refused until somebody decides. */
  readonly maxPending: number
  /** `pend` is fired at first sight of a key and then no more often than this; 0 fires it each time, as Salt does. */
  readonly pendInterval: number
  readonly authEvents: boolean
  readonly presenceEvents: boolean
  readonly presenceInterval: number
  readonly stateEvents: boolean
  /** Tell each step of an orchestration that has ended as `salt/run/<jid>/prog/<master>/<n>`. */
  readonly orchestrationEvents: boolean
  /** Fire the bare `<jid>` event of each job. */
  readonly legacyEvents: boolean
  readonly nodegroups: Readonly<Record<string, string | readonly string[]>>
  /** The file that nodegroups are configured in, for the message about one that is not there. */
  readonly confFile: string
  /** A minion's token lives this long; at most 900. */
  readonly tokenSeconds: number
  /** A job from a reactor must start within this time. */
  readonly reactionExpiry: number
}

/** The settings of a master nobody configured. */
export const defaultMasterOptions: Omit<MasterOptions, 'id' | 'version'> = {
  user: 'root',
  autoAccept: false,
  maxMinions: 0,
  maxPending: 10_000,
  pendInterval: 600,
  authEvents: true,
  presenceEvents: false,
  presenceInterval: 60,
  stateEvents: false,
  orchestrationEvents: false,
  legacyEvents: true,
  nodegroups: {},
  confFile: "the master's configuration",
  tokenSeconds: 900,
  reactionExpiry: 3600,
}
