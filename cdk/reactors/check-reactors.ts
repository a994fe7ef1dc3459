// Checks a reactor set before anything is deployed: Jinja always, YAML and compilation for each event of its tests.
import { BrineError, messageOf } from '../../core/error.ts'
import { matchTag } from '../../core/event/tag-glob.ts'
import {
  callKey,
  type Environment,
  Need,
  reactorContext,
  renderSls,
  SALT_FUNCTIONS,
  yamlTools,
} from '../../core/render/index.ts'

import {
  isFileOf,
  judgeReactorCase,
  parseReactorTests,
  type ReactorCase,
  type Trial,
  type TriedFile,
  tryReactions,
} from '../../core/sls/index.ts'
import { checkTemplate, functionCatalog, lintReactors } from '../../core/sls/lint/index.ts'
import type { Value } from '../../core/value/index.ts'
import type { ReactorFile, ReactorFolder } from './read-reactors.ts'

/** Throws a BrineError `reactors` that lists every finding as `file:line: what is wrong`, and nothing where all is well. */
export function checkReactors(set: ReactorFolder): void {
  const findings = [...configFindings(set), ...lintFindings(set), ...testFindings(set)]
  if (findings.length === 0) return
  throw new BrineError(
    `The reactor set is not deployed; ${findings.length === 1 ? 'this is' : `these ${findings.length} are`} to be mended first:\n${findings
      .map((finding) => `  ${finding}`)
      .join('\n')}`,
    { code: 'reactors' },
  )
}

function configFindings({ problems, config }: ReactorFolder): string[] {
  return problems.map(({ index, message }) => `${config}${index < 0 ? '' : ` (entry ${index + 1})`}: ${message}`)
}

/** What never works. What merely surprises is for `brine-run reactor.lint`, which knows the functions there are. */
function lintFindings({ entries, files, config }: ReactorFolder): string[] {
  const none = new Map()
  const problems = lintReactors({
    entries,
    files,
    functions: functionCatalog({ local: none, runner: none, wheel: none }),
    checkTemplate,
  })
  const sources = new Map(files.map(({ name, source }) => [name, source]))
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, message }) => {
      const place = file === 'reactor' ? config : (sources.get(file) ?? file)
      return `${place}${line === undefined ? '' : `:${line}`}: ${message}`
    })
}

function testFindings(set: ReactorFolder): string[] {
  return set.tests.flatMap(({ source, text }) => {
    const parsed = parseReactorTests(text, source)
    if (parsed.kind === 'broken')
      return [parsed.message.startsWith(source) ? parsed.message : `${source}: ${parsed.message}`]
    return parsed.cases.flatMap((test) => {
      const { passed, lines } = judgeReactorCase(test, tryCase(test, set))
      return passed ? [] : [`${source}, ${test.name}:\n${lines.map((line) => `      ${line}`).join('\n')}`]
    })
  })
}

/** What the case's event leads to; functions of `salt[…]` answer as the case says. */
function tryCase(test: ReactorCase, set: ReactorFolder): Trial {
  const files = set.entries
    .filter(({ glob }) => matchTag(glob, test.tag))
    .flatMap(({ glob, files: references }) =>
      references.flatMap((reference) =>
        set.files.filter((file) => file.reference === reference).map((file) => ({ glob, file })),
      ),
    )
    .filter(({ file }) => isFileOf(test, file.name))
  return tryReactions(
    files.map(({ glob, file }) => tryFile(test, glob, file)),
    () => undefined,
  )
}

function tryFile(test: ReactorCase, glob: string, file: ReactorFile): TriedFile {
  const answers = new Map<string, Value>()
  for (;;) {
    try {
      const { text, document } = renderSls(file, environmentOf(test, file, answers))
      return { glob, name: file.source, text, document }
    } catch (error) {
      if (!(error instanceof Need)) return { glob, name: file.source, error: messageOf(error) }
      const key = callKey(error.fun, error.args, error.kwargs)
      const answer = test.salt.get(error.fun)
      if (answer === undefined || answers.has(key)) {
        const missing = `the template asks ${error.fun}, and the case has no answer. Write it under \`salt:\`.`
        return { glob, name: file.source, error: missing }
      }
      answers.set(key, answer)
    }
  }
}

function environmentOf(test: ReactorCase, file: ReactorFile, answers: ReadonlyMap<string, Value>): Environment {
  const { tag, data, grains, pillar } = test
  return {
    context: reactorContext(file.name, { tag, data, opts: {}, grains, pillar }),
    salt: { pure: SALT_FUNCTIONS, answerable: (fun) => test.salt.has(fun), answers },
    yaml: yamlTools,
    files: () => undefined,
  }
}
