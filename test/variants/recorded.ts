// What Salt gave: one line a variant, masked, in a file a subject.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamEvent } from '../golden/mask.ts'
import { applying } from './applying.ts'
import { commands } from './commands.ts'
import { evenEvents, evenText } from './even.ts'
import { firing } from './firing.ts'
import { keeping } from './keeping.ts'
import { orchestrations } from './orchestrations.ts'
import { reacting } from './reacting.ts'
import { runs } from './runs.ts'
import type { Subject } from './variant.ts'

/** All subjects by name. */
export const subjects: Readonly<Record<string, Subject>> = {
  orchestrations,
  firing,
  runs,
  applying,
  commands,
  reacting,
  keeping,
}

/** What came of a variant; no events where they are not compared. */
export interface Recorded {
  readonly name: string
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
  readonly events?: readonly StreamEvent[]
}

/** A record as it is kept; undefined for what is Python's own: a traceback. */
export function recordOf(raw: Recorded): Recorded | undefined {
  if (JSON.stringify(raw).includes('Traceback (most recent call last)')) return undefined
  const { name, exit, events } = raw
  const [stdout, stderr] = [evenText(raw.stdout), evenText(raw.stderr)]
  return { name, exit, stdout, stderr, ...(events === undefined ? {} : { events: evenEvents(events) }) }
}

/** Where those of a subject are. */
export function recordsFile(subject: string): string {
  return join(import.meta.dirname, `${subject}-of-salt.jsonl`)
}

/** The text of the file. */
export function linesOf(records: readonly Recorded[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** The records of a subject, by the variant's name. */
export function readRecords(subject: string): ReadonlyMap<string, Recorded> {
  const file = recordsFile(subject)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return new Map(lines.map((line) => JSON.parse(line) as Recorded).map((record) => [record.name, record]))
}
