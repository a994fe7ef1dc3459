// `brine test`: the tests of reactors, run on this machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { silentLog } from '../../agent/outside.ts'
import { masterConfig } from '../../client/configuration.ts'
import { messageOf } from '../../core/error.ts'
import { parseReactorTests, type Trial } from '../../core/sls/index.ts'
import type { Mapping } from '../../core/value/index.ts'
import type { LintFindings, ReactorBench } from '../../platform/embedded/index.ts'
import { type BrineTestInvocation, readBrineTest } from '../options/brine-test.ts'
import { wantsColour } from '../output/colour.ts'
import { reactorLint } from '../output/reactor/reactor-lint.ts'
import { parseContext } from '../parse-context.ts'
import type { Io } from './io.ts'
import { embeddedOptions } from './master-options.ts'
import { benchOptions, testGroups } from './test-files.ts'
import { type CaseReport, type FileReport, reportLines, reportValue } from './test-report.ts'
import { updatedTests } from './test-update.ts'

/** Runs `brine test` with the words after it; answers the exit code: 1 where a case fails, 64 for a usage error. */
export async function testMain(argv: readonly string[], io: Io): Promise<number> {
  const invocation = await readBrineTest(argv, parseContext())
  if (invocation.kind === 'end') {
    await io.out(invocation.stdout)
    io.err(invocation.stderr)
    return invocation.exit
  }
  try {
    return await test(invocation, io)
  } catch (error) {
    io.err(`[ERROR   ] ${messageOf(error)}\n`)
    return 1
  }
}

async function test({ options, paths }: BrineTestInvocation, io: Io): Promise<number> {
  const configDir = options.text('config_dir')
  const configured = embeddedOptions(await masterConfig(configDir, io.environment, false, io.err), {
    ...silentLog,
    warn: (message) => io.err(`[WARNING ] ${message}\n`),
  })
  const { openReactorBench } = await import('../../platform/embedded/index.ts')
  const files: FileReport[] = []
  const findings: LintFindings[] = []
  for (const group of testGroups(paths, configured.places.reactorRoot)) {
    const bench = await openReactorBench(benchOptions(group.folder, configured, configDir !== undefined))
    try {
      for (const file of group.files)
        files.push(await testFile(bench, file, options.text('filter'), options.flag('update')))
      if (options.flag('lint')) findings.push(await bench.lint())
    } finally {
      await bench.close()
    }
  }
  const color = wantsColour({
    forceColor: options.flag('force_color'),
    noColor: options.flag('no_color'),
    isTty: io.isTty,
  })
  if (options.text('output') === 'json') await io.out(`${JSON.stringify(reportValue(files, findings), undefined, 4)}\n`)
  else {
    for (const finding of findings) await io.out(`${reactorLint(lintOf(finding), { color })}\n\n`)
    await io.out(`${reportLines(files, { color, verbose: options.flag('verbose') }).join('\n')}\n`)
  }
  const isBad =
    files.some(({ broken, cases }) => broken !== undefined || cases.some(({ outcome }) => outcome === 'failed')) ||
    findings.some(({ problems }) => problems.some(({ severity }) => severity === 'error'))
  return isBad ? 1 : 0
}

function lintOf({ entries, files, problems }: LintFindings): Mapping {
  return { entries, files, problems: problems.map((problem) => ({ ...problem }) as Mapping) }
}

async function testFile(
  bench: ReactorBench,
  path: string,
  filter: string | undefined,
  update: boolean,
): Promise<FileReport> {
  const name = relative(process.cwd(), path)
  const text = readFileSync(path, 'utf8')
  const parsed = parseReactorTests(text, name)
  if (parsed.kind === 'broken') return { file: name, broken: parsed.message, cases: [] }
  const cases: CaseReport[] = []
  const fixes = new Map<number, Trial>()
  for (const [index, test] of parsed.cases.entries()) {
    if (filter !== undefined && !test.name.includes(filter) && !test.tag.includes(filter)) continue
    const { passed, lines, trial } = await bench.judge(test)
    const isFixable = update && !passed && test.error === undefined && canUpdate(text, name, index, trial)
    if (isFixable) fixes.set(index, trial)
    cases.push({ name: test.name, tag: test.tag, outcome: passed ? 'passed' : isFixable ? 'updated' : 'failed', lines })
  }
  if (fixes.size > 0) writeFileSync(path, updatedTests(text, name, fixes))
  return { file: name, cases }
}

/** A case whose files fail has nothing to be written into it; one in flow style cannot be rewritten in its place. */
function canUpdate(text: string, name: string, index: number, trial: Trial): boolean {
  if (trial.files.some(({ error }) => error !== undefined)) return false
  return parseReactorTests(updatedTests(text, name, new Map([[index, trial]])), name).kind === 'cases'
}
