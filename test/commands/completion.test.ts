// The completion scripts in real shells: bash's own machinery asks them; zsh loads them where it is installed.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completionMain } from '../../cli/commands/completion-main.ts'
import type { Io } from '../../cli/commands/io.ts'

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brine-completion-'))
  for (const shell of ['bash', 'zsh']) writeFileSync(join(folder, shell), await scriptOf(shell))
  const fake = (name: string, lines: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  fake('brine-key', 'case "$2" in pre) echo new1;; *) echo web1; echo web2; echo db1;; esac')
  fake('brine-run', 'echo /srv/reactor/start.sls')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function scriptOf(shell: string): Promise<string> {
  let text = ''
  const io = {
    out: async (part: string) => {
      text += part
    },
    err: () => undefined,
  } as unknown as Io
  expect(await completionMain([shell], io)).toBe(0)
  return text
}

/** What bash offers for the last of the words, by the function that `complete` registered for the first. */
function offered(...words: string[]): string[] {
  const program = `
    source '${folder}/bash'
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    spec=$(complete -p ${words[0]}); fun=\${spec#*-F }; \${fun%% *}
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', program], {
    encoding: 'utf8',
    env,
    cwd: folder,
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter((line) => line !== '')
}

describe('bash', () => {
  it.each([
    [
      ['brine', 'web'],
      ['web1', 'web2'],
    ],
    [['brine', 'mig'], ['migrate']],
    [['brine', 'web1', 'test.pin'], ['test.ping']],
    [
      ['brine', '-t', '5', 'web1', 'grains.item'],
      ['grains.item', 'grains.items'],
    ],
    [['brine', '--out', 'js'], ['json']],
    [['brine', '--out', '=', 'new'], ['newline_values_only']],
    [['brine', '--out', '=', 'json', 'db'], ['db1']],
    [['brine', '--batch-w'], ['--batch-wait']],
    [['brine', '--state-output', 'te'], ['terse']],
    [['brine', '-l', 'deb'], ['debug']],
    [['brine', 'completion', 'z'], ['zsh']],
    [['brine', 'migrate', 'ch'], ['check']],
    [
      ['brine-run', 'state.orchestrate_s'],
      ['state.orchestrate_show_sls', 'state.orchestrate_single'],
    ],
    [['brine-run', 'reactor.lint', '/srv'], ['/srv/reactor/start.sls']],
    [['brine-call', 'event.sen'], ['event.send']],
    [['brine-key', '-a', ''], ['new1']],
    [
      ['brine-key', '-d', 'web'],
      ['web1', 'web2'],
    ],
    [['brine-key', '-l', 'r'], ['rej']],
    [
      ['brine-key', '--gen-k'],
      ['--gen-keys', '--gen-keys-dir'],
    ],
    [
      ['brine-master', '--log-f'],
      ['--log-file', '--log-file-level', '--log-format'],
    ],
    [
      ['brine-cloud', '--vers'],
      ['--version', '--versions-report'],
    ],
    [['brine', 'web1', 'test.ping', 'x'], []],
  ])('%j', (words, expected) => {
    expect(offered(...words).sort()).toEqual([...expected].sort())
  })

  it('offers nothing where no master answers, and fails nowhere', () => {
    writeFileSync(join(folder, 'brine-key'), '#!/bin/sh\nexit 2\n')
    expect(offered('brine', 'zz')).toEqual([])
  })
})

const hasZsh = spawnSync('zsh', ['--version']).status === 0
if (!hasZsh) console.log('completion: zsh is not installed; 2 tests skipped')

describe.runIf(hasZsh)('zsh', () => {
  const zsh = (line: string): string => {
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', line], { encoding: 'utf8', cwd: folder })
    return `${stdout}${stderr}`.trim()
  }

  it('reads the script', () => {
    expect(readFileSync(join(folder, 'zsh'), 'utf8')).not.toContain('%default')
    expect(zsh(`zsh -n '${folder}/zsh'`)).toBe('')
  })

  it('registers all programs', () => {
    const line = `autoload -U compinit && compinit -u -D && source '${folder}/zsh' && print $_comps[brine] $_comps[brine-key]`
    expect(zsh(line)).toBe('_brine _brine')
  })
})
