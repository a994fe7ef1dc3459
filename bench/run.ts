// Runs one benchmark: `npm run -s bench -- NAME [--peer] [--runs=N] […]`. Progress on stderr; the last line is its report as JSON.
//
// `--peer` starts real Salt beside it in the same run (see salt-lab.ts); without it the peer's figures are recorded ones.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Row } from './figure.ts'

/** What a benchmark is told. */
export interface Settings {
  /** Measure real Salt in this run. */
  readonly peer: boolean
  /** How often each figure is measured. */
  readonly runs: number
  /** A size that a benchmark may be scaled to, for a quick look; its own where nothing is said. */
  readonly size?: number
}

/** A benchmark's file exports `measure`. */
export type Measure = (settings: Settings) => Promise<readonly Row[]>

// Ending in the ordinary way, so that what was started is ended too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    size: { type: 'string' },
  },
})
const name = positionals[0] ?? ''
const names = readdirSync(join(import.meta.dirname, 'measure')).map((file) => file.replace(/\.ts$/, ''))
const path = join(import.meta.dirname, 'measure', `${name}.ts`)
if (!names.includes(name) || !existsSync(path)) {
  process.stderr.write(
    `usage: npm run -s bench -- NAME [--peer] [--runs=N] [--size=N]\nNAME is one of: ${names.join(', ')}\n`,
  )
  process.exit(64)
}
const { measure }: { measure: Measure } = await import(path)
const rows = await measure({
  peer: values.peer,
  runs: Number(values.runs),
  ...(values.size === undefined ? {} : { size: Number(values.size) }),
})
for (const row of rows)
  process.stderr.write(
    `${row.what}: ${row.brine.median} ${row.unit} (${row.brine.min}–${row.brine.max}), ratio ${row.ratio ?? '–'}, target ${row.target ?? '–'}\n`,
  )
process.stdout.write(`${JSON.stringify({ name, rows })}\n`)
