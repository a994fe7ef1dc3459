// Computes the cost tables of docs/aws.md: `npx tsx scripts/docs-aws-cost.ts` brings the page up to date.
//
// A model, not a bill: prices as AWS's pages have them, counts as the design has them, and durations that were assumed.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is paid for, with the price of one in US dollars (us-east-1). */
const prices = {
  putEvents: { what: 'EventBridge, an event on a custom bus (64 KB)', dollars: 1 / 1e6 },
  queueRequests: { what: 'SQS, a request', dollars: 0.4 / 1e6 },
  invocations: { what: 'Lambda, an invocation', dollars: 0.2 / 1e6 },
  gigabyteSeconds: { what: 'Lambda on arm64, a GB-second', dollars: 0.0000133334 },
  writes: { what: 'DynamoDB on demand, a write unit', dollars: 0.625 / 1e6 },
  reads: { what: 'DynamoDB on demand, a read unit', dollars: 0.125 / 1e6 },
  httpRequests: { what: 'HTTP API, a request (512 KB)', dollars: 1 / 1e6 },
  socketMessages: { what: 'WebSocket API, a message (32 KB)', dollars: 1 / 1e6 },
  socketMinutes: { what: 'WebSocket API, a minute of a connection', dollars: 0.25 / 1e6 },
  transitions: { what: 'Step Functions (Standard), a state transition', dollars: 25 / 1e6 },
  traces: { what: 'X-Ray, a trace', dollars: 5 / 1e6 },
  logGigabytes: { what: 'CloudWatch Logs, a GB taken in', dollars: 0.5 },
  metrics: { what: 'CloudWatch, a metric of our own for a month', dollars: 0.3 },
  alarms: { what: 'CloudWatch, an alarm for a month', dollars: 0.1 },
  dashboards: { what: 'CloudWatch, a dashboard for a month', dollars: 3 },
  secrets: { what: 'Secrets Manager, a secret for a month', dollars: 0.4 },
} as const

/** How many of each. */
export type Counts = Partial<Record<keyof typeof prices, number>>

const month = 730
/** Seconds that a call of the gateway, a batch of the log and a batch of the reactor are assumed to take. */
const assumed = { gateway: 0.03, log: 0.06, reactor: 0.15, turn: 0.3 }
/** Memory of the functions, GB. */
const memory = { gateway: 1, log: 0.5, reactor: 1, turn: 0.5 }
/** Events that arrive at the log together. */
const together = 5

/** One call of an agent or a command to the gateway. */
const call: Counts = {
  httpRequests: 1,
  invocations: 1,
  gigabyteSeconds: assumed.gateway * memory.gateway,
  reads: 2,
  logGigabytes: 300 / 1e9,
}

/** One event on the bus and in the log: two units for its id, and its part of the chunk and of the log's end. */
const event: Counts = {
  putEvents: 1,
  queueRequests: 1 + 2 / together,
  invocations: 1 / together,
  gigabyteSeconds: (assumed.log * memory.log) / together,
  writes: 2 + 6 / together,
  // Who waits for it: the jid of a return, and those who wait for events.
  reads: 2 / together,
}

/** One turn of an orchestration: the turn, what is next, the token; the hold before and after. */
const turn: Counts = {
  transitions: 3,
  invocations: 1,
  gigabyteSeconds: assumed.turn * memory.turn,
  reads: 10,
  writes: 3,
}
/** An orchestration nothing is heard of takes a turn so often an hour. */
const idleTurns = 4

/** What several counts come to. */
export function sum(...parts: readonly (readonly [number, Counts])[]): Counts {
  const total: Record<string, number> = {}
  for (const [times, counts] of parts)
    for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + times * count
  return total
}

/** What is counted in the table, each with what it consists of. */
const subjects = {
  master: {
    what: 'a master at rest, a month',
    counts: {
      // Five pollers of Lambda's a queue, each asking every 20 s, on four queues.
      queueRequests: 4 * 5 * 3 * 60 * month,
      invocations: 60 * month + month,
      gigabyteSeconds: 61 * month * 0.05 * 0.5,
      reads: 60 * month * 10,
      traces: 61 * month,
      metrics: 10,
      alarms: 11,
      dashboards: 1,
      secrets: 1,
    },
  },
  minion: {
    what: 'a minion at rest, a month',
    counts: sum(
      // A look into the mailbox each minute, a token each 13.5 minutes, a ping each 8 minutes, a socket renewed every 90 minutes.
      [60 * month, call],
      [(60 / 13.5) * month, sum([1, call], [1, { writes: 4 }])],
      [1, { socketMinutes: 60 * month, socketMessages: (60 / 8) * month }],
      [month / 1.5, { invocations: 3, gigabyteSeconds: 0.05, writes: 3 }],
    ),
  },
  event: { what: 'an event a minion sends, a million', counts: sum([1e6, sum([1, call], [1, event])]) },
  reaction: {
    what: 'a reaction to an event, a million',
    counts: sum([
      1e6,
      {
        queueRequests: 1.4,
        invocations: 1 / together,
        gigabyteSeconds: (assumed.reactor * memory.reactor) / together,
        writes: 9,
        reads: 4,
      },
    ]),
  },
  job: {
    what: 'a job on a minion, a million',
    // Mailbox and doorbell; the agent fetches and returns; the event of the return.
    counts: sum([1e6, sum([2, call], [1, event], [1, { writes: 4, socketMessages: 1 }])]),
  },
  step: {
    what: 'a step of an orchestration, a thousand, beside its jobs',
    // Its turn; its record is written when it is prepared, begun and ended, in transactions of two items; news and who is waited for.
    counts: sum([1e3, sum([1, turn], [1, { writes: 3 * 2 * 3 + 2 }])]),
  },
  waiting: {
    what: 'an orchestration that waits, a day',
    counts: sum([24 * idleTurns, turn]),
  },
} as const satisfies Record<string, { readonly what: string; readonly counts: Counts }>

/** US dollars for counts. */
export function dollarsOf(counts: Counts): number {
  return Object.entries(counts).reduce(
    (total, [key, count]) => total + prices[key as keyof typeof prices].dollars * count,
    0,
  )
}

/** A fleet that sends ten events an hour a minion, every tenth of them reacted to with a job, and gets one job an hour. */
function fleet(minions: number): number {
  const hours = month * minions
  const { master, minion, event: sent, reaction, job } = subjects
  return (
    dollarsOf(master.counts) +
    minions * dollarsOf(minion.counts) +
    (hours * (10 * dollarsOf(sent.counts) + dollarsOf(reaction.counts) + 2 * dollarsOf(job.counts))) / 1e6
  )
}

function priceTable(): string {
  const rows = Object.values(prices).map(({ what, dollars }) => {
    const million = dollars < 0.001 && !what.includes('GB-second')
    return `| ${what} | ${million ? `$${Number((dollars * 1e6).toPrecision(3))} a million` : `$${dollars}`} |\n`
  })
  return `| what | price |\n|---|---|\n${rows.join('')}`
}

function subjectTable(): string {
  const rows = Object.values(subjects).map(({ what, counts }) => {
    const parts = Object.entries(counts)
      .map(([key, count]) => [key, dollarsOf({ [key]: count })] as const)
      .sort(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([key, dollars]) => `${prices[key as keyof typeof prices].what.split(',')[0]} $${round(dollars)}`)
    return `| ${what} | $${round(dollarsOf(counts))} | ${parts.join(', ')} |\n`
  })
  const fleets = [10, 100, 1000].map((minions) => `| ${minions} minions | $${round(fleet(minions))} |\n`)
  return `| what | costs | most of it |\n|---|---|---|\n${rows.join('')}\n| a fleet, a month | costs |\n|---|---|\n${fleets.join('')}`
}

function round(dollars: number): string {
  return dollars >= 10 ? dollars.toFixed(0) : dollars >= 0.1 ? dollars.toFixed(2) : dollars.toPrecision(2)
}

/** The page with its tables replaced. */
export function printPage(page: string): string {
  return replaced(replaced(page, 'prices', priceTable()), 'costs', subjectTable())
}

function replaced(page: string, name: string, text: string): string {
  const begin = `<!-- ${name}: begin -->\n`
  const from = page.indexOf(begin)
  const to = page.indexOf(`<!-- ${name}: end -->`)
  if (from < 0 || to < from) throw new Error(`docs/aws.md has no place for ${name}`)
  return page.slice(0, from + begin.length) + text + page.slice(to)
}

/** Where the page is. */
export const PAGE = fileURLToPath(new URL('../docs/aws.md', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, printPage(readFileSync(PAGE, 'utf8')))
