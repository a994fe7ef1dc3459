// A reactor set on the bench: its test cases judged and its files linted without a running master.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrineError } from '../../core/error.ts'
import type { Event } from '../../core/event/event.ts'
import { isFileOf, judgeReactorCase, type ReactorCase, type ReactorVerdict, type Trial } from '../../core/sls/index.ts'
import { type Dict, entries, has, type Mapping, mapOf, withEntry } from '../../core/value/index.ts'
import { createAnswers } from '../../master/answers.ts'
import { createMaster } from '../../master/master.ts'
import { createRenderFile, type RenderFacts } from '../../master/render-file.ts'
import { type LintFindings, lintSet, signaturesOf } from '../../master/runners/reactor-try.ts'
import { tryEvent } from '../../master/try-event.ts'
import { loadRunners } from '../../master/user-runners.ts'
import { type Answers, createReactorSet, type ReactorSet, type StoredReactorSet } from '../../reaction/index.ts'
import { readReactorSet } from '../../reaction/read-reactor-set.ts'
import type { EmbeddedOptions } from './compose.ts'
import { openEmbeddedStore } from './store/index.ts'

export type { LintFindings } from '../../master/runners/reactor-try.ts'

/** What a case came to. */
export interface BenchResult extends ReactorVerdict {
  readonly trial: Trial
}

/** A set, read once, and what can be asked of it. */
export interface ReactorBench {
  readonly set: StoredReactorSet
  /** The names of the runners, the user's too, and of the wheel. */
  readonly functions: { readonly runner: readonly string[]; readonly wheel: readonly string[] }
  judge(test: ReactorCase): Promise<BenchResult>
  lint(): Promise<LintFindings>
  close(): Promise<void>
}

/** The stamp of events that a case gives none. */
const STAMP = '2026-01-01T00:00:00.000000'

/** Reads the set that the options lead to. Runners, the user's too, are there for their signatures; none is run. */
export async function openReactorBench(
  options: Pick<
    EmbeddedOptions,
    'master' | 'timeout' | 'places' | 'entries' | 'runnerDirs' | 'template' | 'minionFunctions' | 'log'
  >,
): Promise<ReactorBench> {
  const set = readReactorSet(options.entries, options.places)
  const folder = mkdtempSync(join(tmpdir(), 'brine-bench-'))
  const { fileRoots } = options.places
  const store = await openEmbeddedStore({ dataDir: join(folder, 'data'), pkiDir: join(folder, 'pki'), fileRoots })
  const users = await loadRunners(options.runnerDirs, options.log.warn)
  const { tables, mines } = createMaster(store, options.master, {
    timeout: options.timeout,
    userRunners: () => users,
  })
  const reactors = createReactorSet(set)
  const { answer } = createAnswers({
    runners: () => new Map(),
    files: store.files,
    newJid: () => '',
    mines: () => mines,
  })
  const parts = {
    answers: { answer: (question) => answer(onlyFiles(question)) } satisfies Answers,
    signatures: (client: 'runner' | 'wheel', fun: string) => tables[client]().get(fun)?.signature,
  }
  return {
    set,
    functions: { runner: [...tables.runner().keys()], wheel: [...tables.wheel().keys()] },
    judge: (test) => judge(test, reactors, options.template, parts),
    lint: async () =>
      lintSet(set, [], {
        runner: signaturesOf(tables.runner()),
        wheel: signaturesOf(tables.wheel()),
        local: (await options.minionFunctions?.()) ?? new Map(),
      }),
    async close() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function judge(
  test: ReactorCase,
  reactors: ReactorSet,
  template: RenderFacts,
  parts: Pick<Parameters<typeof tryEvent>[0], 'answers' | 'signatures'>,
): Promise<BenchResult> {
  const render = createRenderFile({
    ...template,
    grains: merged(template.grains, test.grains),
    pillar: merged(template.pillar, test.pillar),
    functions: Object.fromEntries([...test.salt].map(([fun, value]) => [fun, () => value])),
  })
  const event: Event = {
    id: '',
    tag: test.tag,
    data: has(test.data, '_stamp') ? test.data : withEntry(test.data, '_stamp', STAMP),
    source: 'custom',
  }
  const files = reactors.matching(event).filter(({ name }) => isFileOf(test, name))
  const absent = test.sls?.find((wanted) => !files.some(({ name }) => isFileOf({ ...test, sls: [wanted] }, name)))
  const trial = await tryEvent({ ...parts, render }, event, files)
  if (absent !== undefined) {
    return { trial, passed: false, lines: [`! no entry of the reactor leads ${test.tag} to ${absent}`] }
  }
  return { trial, ...judgeReactorCase(test, trial) }
}

/** The names of a map's keys as text, those of the second before those of the first. */
function merged(under: Mapping, over: Mapping | Dict): Mapping {
  const both = mapOf([...entries(under).filter(([key]) => !has(over, String(key))), ...entries(over)])
  return both instanceof Map ? Object.fromEntries([...both].map(([key, value]) => [String(key), value])) : both
}

/** The bench has files; everything else that a template asks has to stand in the case. */
function onlyFiles<Q extends { readonly fun: string }>(question: Q): Q {
  if (question.fun.startsWith('cp.')) return question
  throw new BrineError(
    `The template asks ${question.fun}, and the case says nothing of it. Write \`salt: {${question.fun}: <answer>}\`.`,
    { code: 'test-answer' },
  )
}
