// Types the variants at our programs, in a lab set up as Salt's was, and says how each differs from what Salt gave.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareOutput, compareStreams, type Differences } from '../golden/compare.ts'
import { SALT_LAB } from '../golden/judge.ts'
import { maskEvents, maskOutput } from '../golden/mask.ts'
import { masterLines, plain, translate } from '../golden/replay.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { decided } from './decided.ts'
import { evenEvents, evenText, withoutOrder } from './even.ts'
import { type Recorded, readRecords, subjects } from './recorded.ts'
import type { Variant } from './variant.ts'

const MINIONS = ['db1', 'web-asg-1']
/** Milliseconds for which missing events are waited for. */
const PATIENCE = 30_000
/** The same where it is decided that something differs. */
const LESS_PATIENCE = 3000
/** Milliseconds without an event after which nothing more comes. */
const QUIET = 1000

/** How a variant came out. */
export interface Verdict {
  readonly name: string
  readonly differences: Differences
}

/** A master and two minions with all subjects' files. */
export async function startVariantLab(): Promise<Lab> {
  const lab = await createLab({ master: `${masterLines(SALT_LAB)}\npend_interval: 0\nauto_accept: True\n` })
  cpSync(join(SALT_LAB, 'srv'), join(lab.root, 'srv'), { recursive: true })
  lab.write('srv/salt/x.sls', readFileSync(join(SALT_LAB, 'srv/salt/x.sls'), 'utf8'))
  lab.write('srv/salt/_runners/lab.mjs', readFileSync(join(import.meta.dirname, '../golden/lab.mjs'), 'utf8'))
  for (const { files, reactor } of Object.values(subjects)) {
    for (const [path, text] of Object.entries(files)) lab.write(path, text)
    if (reactor !== undefined) lab.write('etc/brine/master.d/reactor.conf', reactor)
  }
  await lab.startMaster()
  for (const id of MINIONS) lab.startMinion(id, `grains:\n  role: ${id === 'db1' ? 'db' : 'web'}\n  env: prod\n`)
  await waitFor('the minions to answer', async () => {
    const { stdout } = await lab.run('brine', ['-t', '2', '--out=json', '--static', '*', 'test.ping'])
    return stdout.split(': true').length === 3 ? true : undefined
  })
  return lab
}

/** Types a subject's variants that were recorded, one after the other; `words`: only those that have one in their names. */
export async function* play(lab: Lab, subject: string, words: readonly string[] = []): AsyncGenerator<Verdict> {
  const records = readRecords(subject)
  for (const variant of subjects[subject]?.variants ?? []) {
    const recorded = records.get(variant.name)
    if (recorded === undefined) continue
    if (words.length > 0 && !words.some((word) => variant.name.includes(word))) continue
    yield { name: variant.name, differences: await playOne(lab, variant, recorded) }
  }
}

async function playOne(lab: Lab, variant: Variant, recorded: Recorded): Promise<Differences> {
  const [program, args] = translate([variant.program, ...variant.args], '')
  const env = program === 'brine-call' ? lab.minionEnv('web-asg-1') : {}
  const from = lab.mark()
  const stdin = variant.stdin === undefined ? {} : { stdin: variant.stdin }
  const ours = await lab.run(program, args, { ...stdin, env: { COLUMNS: '120', ...env } })
  const place = { root: lab.root }
  const differences = recorded.exit === ours.exit ? [] : [`exit ${ours.exit}, expected ${recorded.exit}`]
  for (const stream of ['stdout', 'stderr'] as const)
    differences.push(
      ...compareTexts(recorded[stream], maskOutput(ours[stream], place)).map((line) => `${stream}: ${line}`),
    )
  const { events } = recorded
  if (events === undefined) return differences
  const look = (): Differences => {
    const seen = lab.events.slice(from).map(({ tag, data }) => ({ tag, data: plain(data) }))
    // Which of two programs is quicker is no difference.
    const found = compareStreams(events, evenEvents(maskEvents(seen, place)))
    return found.filter((line) => !line.startsWith('order:'))
  }
  const end = performance.now() + (decided[variant.name] === undefined ? PATIENCE : LESS_PATIENCE)
  for (let heard = -1; variant.goesOn === true && heard !== lab.events.length && performance.now() < end; ) {
    heard = lab.events.length
    await sleep(QUIET)
  }
  let missing = look()
  while (missing.some((line) => line.startsWith('missing')) && performance.now() < end) {
    await sleep(30)
    missing = look()
  }
  return [...differences, ...missing]
}

function compareTexts(theirs: string, ours: string): Differences {
  const found = compareOutput(evenText(theirs), evenText(ours))
  return found.length === 0 || withoutOrder(evenText(theirs)) === withoutOrder(evenText(ours)) ? [] : found
}
