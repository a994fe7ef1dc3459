// `bench bundle`: of each Lambda function the bytes that it reads at its start, those of its whole folder, and the time of
// that start: a new Node that imports it, less one that imports nothing.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variables } from '../../platform/aws/layout/index.ts'
import { figureOf, type Row } from '../figure.ts'
import type { Measure } from '../run.ts'
import { say } from '../talk.ts'

/** Aimed at: bytes read at the start, and milliseconds of it. */
const mostBytes = 600 * 1024
const mostMilliseconds = 60

const root = join(import.meta.dirname, '..', '..')

/** What a function finds in its environment; nothing of it is reached while it is only read. */
const environment = {
  ...process.env,
  ...Object.fromEntries(Object.values(variables).map((name) => [name, 'http://127.0.0.1:1'])),
  [variables.settings]: '{}',
  [variables.reactorTimeout]: '60',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  POWERTOOLS_METRICS_NAMESPACE: 'Brine',
}

/** Rows: kilobytes and milliseconds of each function; `ok` where the aim is kept. */
export const measure: Measure = async ({ runs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'brine-bundle-'))
  try {
    const out = join(folder, 'functions')
    const told = execFileSync(process.execPath, [join(root, 'scripts/bundle-functions.mjs'), out], { encoding: 'utf8' })
    const sizes = JSON.parse(told) as Record<string, { readonly bytes: number; readonly all: number }>
    writeFileSync(join(folder, 'nothing.mjs'), '')
    const floor = Array.from({ length: runs }, () => importTime(join(folder, 'nothing.mjs')))
    return Object.entries(sizes).flatMap(([name, { bytes, all }]) => {
      const times = Array.from({ length: runs }, () => importTime(join(out, name, 'index.mjs')))
      say(`${name}: ${bytes} bytes at its start, ${all} in all, ${Math.min(...times).toFixed(0)} ms`)
      return rowsOf(name, bytes, all, times, floor)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function rowsOf(name: string, bytes: number, all: number, times: readonly number[], floor: readonly number[]): Row[] {
  const kilobytes = (value: number) => figureOf([value / 1024])
  const time = figureOf(times)
  return [
    { what: `${name}: read at its start`, unit: 'KB', brine: kilobytes(bytes), ok: bytes <= mostBytes },
    { what: `${name}: whole folder`, unit: 'KB', brine: kilobytes(all) },
    { what: `${name}: import`, unit: 'ms', brine: time, floor: figureOf(floor), ok: time.min <= mostMilliseconds },
  ]
}

/** Milliseconds of an import in a new process, as that process measures it. */
function importTime(path: string): number {
  const program = `const t = performance.now(); await import(${JSON.stringify(path)}); console.log(performance.now() - t); process.exit(0)`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: environment,
  })
  if (status !== 0) throw new Error(`${path} cannot be imported: ${stderr}`)
  return Number(stdout.trim().split('\n').at(-1))
}
