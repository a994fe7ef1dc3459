// The README's walk, as a reader takes it: `npm start`, then each command, in one folder.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, programPath } from './built.ts'
import { freePort } from './lab.ts'
import { type Background, runProgram, startProgram } from './process.ts'
import { waitFor } from './wait.ts'

interface Step {
  readonly command: string
  /** What the README shows below the command. */
  readonly shown: string | undefined
}

/** The commands of the section, each with the block that follows its own. */
function stepsOf(readme: string, heading: string): Step[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
  return blocks.flatMap(({ language, text }, index) => {
    if (language !== 'sh') return []
    // Lines that share variables are one script.
    const commands = /^\w+=/m.test(text) ? [text.trim()] : text.trim().split('\n')
    const next = blocks[index + 1]
    const shown = next !== undefined && next.language === '' ? next.text : undefined
    return commands.map((command, at) => ({ command, shown: at === commands.length - 1 ? shown : undefined }))
  })
}

const root = join(import.meta.dirname, '../..')
const steps = stepsOf(readFileSync(join(root, 'README.md'), 'utf8'), 'A walk')
let folder = ''
let port = 0
let system: Background | undefined

beforeAll(async () => {
  await ensureBuilt()
  folder = mkdtempSync(join(tmpdir(), 'brine-walk-'))
  cpSync(join(root, 'reactors'), join(folder, 'reactors'), { recursive: true })
  port = await freePort()
  system = startProgram(process.execPath, [programPath('start'), '--port', String(port)], join(folder, 'system'), {
    cwd: folder,
  })
  await waitFor(
    () => `the minion's start event; it said:\n${system?.stderr()}`,
    () => (system?.stdout().includes('salt/minion/minion1/start') === true ? true : undefined),
  )
}, 180_000)

afterAll(async () => {
  await system?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the walk', { timeout: 180_000 }, () => {
  test('has steps', () => {
    expect(steps.length).toBeGreaterThan(4)
  })

  test.each(steps)('$command', async ({ command, shown }) => {
    const local = command
      .replace(/^npx (\S+)/, (_, name: string) => `"${process.execPath}" "${programPath(name)}"`)
      .replaceAll(':8000', `:${port}`)
      // A stream has no end; what came in ten seconds is enough.
      .replace(/^curl -SsNk (.*)$/m, 'curl -SsNk --max-time 10 $1 2>/dev/null || test $? -eq 28')
    let isOver = false
    const running = runProgram('/bin/sh', ['-c', local], { cwd: folder }).finally(() => {
      isOver = true
    })
    // One step waits for an event: somebody has to cause one, again where it did not listen yet.
    while (command.includes('count=1') && !isOver)
      await runProgram(process.execPath, [programPath('brine'), '*', 'test.ping'], { cwd: folder })
    const ended = await running
    expect({ exit: ended.exit, stderr: ended.stderr }).toEqual({ exit: 0, stderr: '' })
    if (shown !== undefined) expect(ended.stdout).toBe(shown)
    if (command.includes('curl')) {
      expect(ended.stdout).toContain('"minion1": true')
      expect(ended.stdout).toContain('retry: 400')
    }
  })

  test('the sample reactor said hello', async () => {
    await waitFor('the job test.echo and its return', () =>
      system !== undefined && /"return": "hello you"/.test(system.stdout()) ? true : undefined,
    )
  })
})
