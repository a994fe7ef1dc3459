// What the functions are told by their environment: names that the constructs write and `compose.ts` reads.

/** The variables of every function; each is text, absent where a function has no use for it. */
export const variables = {
  tableState: 'BRINE_TABLE_STATE',
  tableJobs: 'BRINE_TABLE_JOBS',
  tableEvents: 'BRINE_TABLE_EVENTS',
  tableLedger: 'BRINE_TABLE_LEDGER',
  bucket: 'BRINE_BUCKET',
  /** The name of the custom bus. */
  bus: 'BRINE_BUS',
  /** URLs of the reactor's queue, of its dead letters, and of the queue that jobs to many minions go through. */
  reactorQueue: 'BRINE_QUEUE_REACTOR',
  reactorDeadQueue: 'BRINE_QUEUE_REACTOR_DEAD',
  fanOutQueue: 'BRINE_QUEUE_FAN_OUT',
  /** Secrets Manager: a generated text from which the signing key is derived, or a PEM. */
  signingSecret: 'BRINE_SIGNING_SECRET',
  /** Where messages to open sockets are posted: `https://<api>.execute-api.<region>.amazonaws.com/<stage>`. */
  connectionsEndpoint: 'BRINE_CONNECTIONS_ENDPOINT',
  /** The bootstrap URL, and where sockets are opened. */
  url: 'BRINE_URL',
  socketUrl: 'BRINE_SOCKET_URL',
  /** The rules that entries added at run time go into: see {@link liveRuleName}. */
  rulePrefix: 'BRINE_RULE_PREFIX',
  /** The reactor function's timeout, seconds: leases are 30 s longer. */
  reactorTimeout: 'BRINE_REACTOR_TIMEOUT',
  /** JSON: the settings of the master by Salt's names, and under `fleet` those of its fleets. */
  settings: 'BRINE_SETTINGS',
  /** The name of the function that runs runner and wheel functions; for those who order runs. */
  runFunction: 'BRINE_FUNCTION_RUN',
  /** The ARN of the state machine that orchestrations go through. */
  stateMachine: 'BRINE_STATE_MACHINE',
} as const

/** The name of a {@link variables}. */
export type Variable = keyof typeof variables

/** How many rules are kept for entries that are added at run time; deployed with a pattern that matches nothing. */
export const liveRules = 4

/** The name of a rule for entries added at run time. */
export function liveRuleName(prefix: string, index: number): string {
  return `${prefix}live-${index}`
}

/** The rules' only target: the reactor's queue. */
export const ruleTarget = 'queue'
