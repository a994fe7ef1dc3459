// Runs the scenario on a lab set up as the recording was, and sums up what came out.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'
import { masterLines, reactorLines, replay, type Verdict } from './replay.ts'
import { type Step, scenario } from './scenario.ts'
import { commands } from './scenario-commands.ts'
import { reactions } from './scenario-reactions.ts'

const SHARED = process.env.BRINE_SHARED ?? join(import.meta.dirname, '../../../shared')
/** The transcripts; they stand beside the repository and may be absent. */
export const GOLDENS = join(SHARED, 'golden')
/** Files of the lab they were recorded on; likewise. */
export const SALT_LAB = join(SHARED, 'salt-lab')

/** True where transcripts and the lab they were recorded on are there. */
export const areGoldensHere = existsSync(GOLDENS) && existsSync(SALT_LAB)

/** What came out. */
export interface Judgement {
  readonly verdicts: readonly Verdict[]
  /** One line a transcript, and under a different one how it differs. */
  readonly lines: readonly string[]
  readonly summary: string
  /** Transcripts that must be equal and are not. */
  readonly different: number
  /** Of the transcripts that count, how many are equal. */
  readonly share: number
}

/** Replays everything, and judges the transcripts whose names hold one of the words (all where there is none). */
export async function judge(words: readonly string[], say: (line: string) => void): Promise<Judgement> {
  const lab = await prepareLab()
  const verdicts: Verdict[] = []
  try {
    await lab.startMaster()
    const { keys, streams, troubles, autoAccept } = scenario
    for (const steps of [keys, streams, commands, reactions, troubles, autoAccept]) {
      if (steps === reactions) await restartWith(lab, 'reactions')
      for await (const verdict of replay(lab, GOLDENS, chosen(steps, words))) {
        say(lineOf(verdict))
        verdicts.push(verdict)
      }
    }
  } finally {
    await lab.close()
  }
  return judgementOf(verdicts)
}

/** Commands that ask and change nothing are left out where they were not asked for. */
function chosen(steps: readonly Step[], words: readonly string[]): readonly Step[] {
  if (words.length === 0) return steps
  const isNeeded = (step: Step) =>
    /^(start|stop|type|await)$/.test(step.kind) || step.kind === 'job' || step.kind === 'job-done'
  const changesKeys = (step: Step) => 'name' in step && /^(0[123]_|4[34]_|key_(d|r|a_prompt))/.test(step.name)
  return steps.filter(
    (step) => isNeeded(step) || changesKeys(step) || ('name' in step && words.some((word) => step.name.includes(word))),
  )
}

/** Restarts the master with the reactor's other configuration, and waits until the minions are there again. */
async function restartWith(lab: Lab, during: 'commands' | 'reactions'): Promise<void> {
  await lab.stopMaster()
  lab.write('etc/brine/master.d/reactor.conf', reactorLines(SALT_LAB, during))
  await lab.startMaster()
  await waitFor('the minions to come back', async () => {
    const { stdout } = await lab.run('brine', ['-t', '1', '--out=json', '--static', '*', 'test.ping'])
    return stdout.split(': true').length === 3 ? true : undefined
  })
}

async function prepareLab(): Promise<Lab> {
  const lab = await createLab({ master: `${masterLines(SALT_LAB)}\npend_interval: 0\n` })
  cpSync(join(SALT_LAB, 'srv'), join(lab.root, 'srv'), { recursive: true })
  lab.write('etc/brine/master.d/reactor.conf', reactorLines(SALT_LAB, 'commands'))
  lab.write('srv/salt/x.sls', readFileSync(join(SALT_LAB, 'srv/salt/x.sls'), 'utf8'))
  lab.write('srv/salt/_runners/lab.mjs', readFileSync(join(import.meta.dirname, 'lab.mjs'), 'utf8'))
  return lab
}

function lineOf({ transcript, differences, exception }: Verdict): string {
  if (differences.length === 0) return `equal      ${transcript}`
  if (exception !== undefined) return `${exception.kind.padEnd(10)} ${transcript}: ${exception.reason}`
  return [`different  ${transcript}`, ...differences.map((line) => `             ${line.slice(0, 2000)}`)].join('\n')
}

function judgementOf(verdicts: readonly Verdict[]): Judgement {
  const equal = verdicts.filter(({ differences }) => differences.length === 0).length
  const count = (kind?: string) =>
    verdicts.filter(({ differences, exception }) => differences.length > 0 && exception?.kind === kind).length
  const [different, decided, superseded] = [count(), count('decided'), count('superseded')]
  const share = equal / (equal + different + decided)
  return {
    verdicts,
    lines: verdicts.map(lineOf),
    different,
    share,
    summary:
      `${equal} equal, ${different} different, ${decided} decided otherwise: ${(share * 100).toFixed(1)} % equal; ` +
      `not counted: ${superseded} superseded`,
  }
}
