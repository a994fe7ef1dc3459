// No option is taken and then forgotten: what a command's help offers is read somewhere in the command.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BRINE } from '../../cli/options/brine.ts'
import { BRINE_CALL } from '../../cli/options/brine-call.ts'
import { BRINE_CLOUD } from '../../cli/options/brine-cloud.ts'
import { BRINE_KEY } from '../../cli/options/brine-key.ts'
import { BRINE_MIGRATE } from '../../cli/options/brine-migrate.ts'
import { BRINE_RUN } from '../../cli/options/brine-run.ts'
import { BRINE_TEST } from '../../cli/options/brine-test.ts'
import { BRINE_MASTER, BRINE_MINION } from '../../cli/options/daemons.ts'
import { allOptions, type CommandSpec } from '../../cli/options/option.ts'

const cli = fileURLToPath(new URL('../../cli/', import.meta.url))

/** A file and what it imports of cli/, but for the tables of options, which are no use of them. */
function textsFrom(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen
  const text = readFileSync(path, 'utf8')
  seen.set(path, text)
  for (const [, to = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
    const target = join(dirname(path), to)
    if (target.startsWith(cli) && !target.endsWith('options/index.ts')) textsFrom(target, seen)
  }
  return seen
}

/** Shared readers of options, which the commands reach through an index. */
const readers = ['parse.ts', 'output-options.ts', 'job-arguments.ts', 'target-options.ts'].map((name) =>
  join(cli, 'options', name),
)

/** `--list-all` and its like, and the targets: their tables make and read the names from the acts and the types. */
const computedName = /^(?:list|accept|reject|print|delete|finger)_all$|^target_/

function isRead(dest: string, text: string): boolean {
  return new RegExp(
    `(?:flag|text|number|list|has|given|chosen)\\(\\s*'${dest}'|\\['${dest}'|'${dest}'(?:,|\\])(?! *kind)`,
  ).test(text)
}

describe.each([
  [BRINE, 'brine-main.ts', 'brine.ts'],
  [BRINE_TEST, 'test-main.ts', 'brine-test.ts'],
  [BRINE_MIGRATE, 'migrate-main.ts', 'brine-migrate.ts'],
  [BRINE_RUN, 'run-main.ts', 'brine-run.ts'],
  [BRINE_CALL, 'call-main.ts', 'brine-call.ts'],
  [BRINE_KEY, 'key-main.ts', 'brine-key.ts'],
  [BRINE_CLOUD, 'cloud-main.ts', 'brine-cloud.ts'],
  [BRINE_MASTER, 'master.ts', 'daemons.ts'],
  [BRINE_MINION, 'minion.ts', 'daemons.ts'],
] as const satisfies readonly (readonly [CommandSpec, string, string])[])('$0.name', (spec, main, table) => {
  it('reads what it offers', () => {
    const texts = [
      ...textsFrom(join(cli, 'commands', main)).values(),
      ...readers.map((path) => readFileSync(path, 'utf8')),
    ]
    // What the table's own reader looks at; the table itself ends where its first function begins.
    const own = readFileSync(join(cli, 'options', table), 'utf8')
    const text = [...texts, own.slice(own.search(/^(?:export )?(?:async )?function/m))].join('\n')
    const forgotten = allOptions(spec)
      .filter(({ kind }) => kind !== 'help' && kind !== 'version')
      .map(({ dest }) => dest)
      .filter((dest) => !isRead(dest, text) && !computedName.test(dest))
    expect(forgotten).toEqual([])
  })
})

it('looks at every command', () => {
  const tables = readdirSync(join(cli, 'options')).filter((name) => /^brine.*(?<!\.test)\.ts$/.test(name))
  expect(tables).toHaveLength(7)
})
