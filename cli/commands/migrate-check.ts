// What `brine migrate check` looks at: the configuration, the reactor's files, and everything below the roots.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { silentLog } from '../../agent/outside.ts'
import { builtInStates } from '../../agent/states/built-in.ts'
import { readConfigFiles } from '../../client/config-files.ts'
import { type ConfigFile, type ParsedMaster, parseMasterConfig } from '../../core/config/index.ts'
import { BrineError } from '../../core/error.ts'
import { configFindings, type Finding, type Known, type SlsKind, slsFindings } from '../../core/migrate/index.ts'
import { type LintFindings, openReactorBench, type ReactorBench } from '../../platform/embedded/index.ts'
import type { Io } from './io.ts'
import { embeddedOptions } from './master-options.ts'
import { minionFunctions } from './minion-functions.ts'

/** Folders of code, and what becomes of Python in them. */
const codeFolders: Readonly<Record<string, string>> = {
  _modules: 'Write it as an .mjs module (docs/modules.md).',
  _states: 'Write it as an .mjs module (docs/modules.md).',
  _grains: 'Write it as an .mjs module (docs/modules.md).',
  _beacons: 'Write it as an .mjs module (docs/modules.md).',
  _runners: 'Write it as an .mjs module (docs/orchestrate.md).',
}

/** All findings. `root` stands before the absolute paths of the configuration. Rejects where there is no configuration. */
export async function inspect(folder: string, root: string | undefined, io: Io): Promise<Finding[]> {
  const files = await configFiles(folder)
  const parsed = withRoot(parseMasterConfig(files), root ?? '')
  const { config } = parsed
  const bench = await benchOf(parsed, folder, io)
  try {
    const { problems } = await bench.lint()
    const stateFiles = filesBelow(Object.values(config.file_roots).flat())
    const pillarFiles = filesBelow(Object.values(config.pillar_roots).flat())
    const reactorFiles = bench.set.files.map(({ name }) => name)
    const known = knownFunctions(bench, stateFiles)
    const looked = (paths: readonly string[], kind: SlsKind): Finding[] =>
      paths.filter(isTemplate).flatMap((path) => slsFindings(path, readFileSync(path, 'utf8'), kind, known))
    const settings = configFindings(files)
    return [
      ...settings,
      ...problems.map((problem) => reactorFinding(problem, settings)),
      ...stateFiles.flatMap(codeFinding),
      ...looked(
        stateFiles.filter((path) => !reactorFiles.includes(path)),
        'state',
      ),
      ...looked(pillarFiles, 'pillar'),
      ...looked(
        reactorFiles.filter((path) => path.startsWith('/')),
        'template',
      ),
    ]
  } finally {
    await bench.close()
  }
}

/** What the linter says of the reactor's set; of its configuration, where that stands. */
function reactorFinding(problem: LintFindings['problems'][number], settings: readonly Finding[]): Finding {
  const { severity, code, file, line, message } = problem
  const written = settings.find(({ subject }) => subject === 'reactor')
  const place = file === 'reactor' && written !== undefined ? written : problem
  return {
    verdict: severity === 'error' || code === 'unknown-function' ? 'missing' : 'differs',
    file: place.file ?? file,
    ...(place.line === undefined ? (line === undefined ? {} : { line }) : { line: place.line }),
    subject: 'reactor',
    message,
  }
}

async function configFiles(folder: string): Promise<ConfigFile[]> {
  const isFile = statSync(folder, { throwIfNoEntry: false })?.isFile() === true
  const files = isFile
    ? [{ name: folder, text: readFileSync(folder, 'utf8') }]
    : await readConfigFiles(folder, 'master')
  if (files.length > 0) return files
  throw new BrineError(`There is no master's configuration in ${folder}: neither master nor master.d/*.conf.`, {
    code: 'migrate',
  })
}

/** The configuration with its roots, and the reactor's files, below another folder. */
function withRoot(parsed: ParsedMaster, root: string): ParsedMaster {
  const moved = (path: string): string => (root !== '' && path.startsWith('/') ? join(root, path) : path)
  const roots = (all: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
    Object.fromEntries(Object.entries(all).map(([env, paths]) => [env, paths.map(moved)]))
  const { config, reactor } = parsed
  return {
    ...parsed,
    config: { ...config, file_roots: roots(config.file_roots), pillar_roots: roots(config.pillar_roots) },
    reactor: {
      ...reactor,
      entries: reactor.entries.map((entry) => ({ ...entry, files: entry.files.map(moved) })),
    },
  }
}

function benchOf(parsed: ParsedMaster, folder: string, io: Io): Promise<ReactorBench> {
  const options = embeddedOptions({ ...parsed, confFile: join(folder, 'master') }, silentLog)
  return openReactorBench({ ...options, log: { ...silentLog, warn: (message) => io.err(`[WARNING ] ${message}\n`) } })
}

function knownFunctions({ functions }: ReactorBench, files: readonly string[]): Known {
  const own = (folder: string): string[] =>
    files
      .filter((path) => path.includes(`/${folder}/`) && path.endsWith('.mjs'))
      .map((path) => `${basename(path, '.mjs')}.*`)
  const builtIn = builtInStates.flatMap(({ name, functions: all }) => Object.keys(all).map((fun) => `${name}.${fun}`))
  return {
    execution: new Set([...minionFunctions().keys(), ...own('_modules')]),
    states: new Set([...builtIn, ...own('_states')]),
    runner: new Set([...functions.runner, ...own('_runners')]),
    wheel: new Set(functions.wheel),
  }
}

function filesBelow(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return []
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter(
        (path) =>
          !relative(folder, path)
            .split('/')
            .some((part) => part.startsWith('.')),
      )
      .sort()
  })
}

function isTemplate(path: string): boolean {
  return /\.(sls|jinja|jinja2|j2)$/.test(path)
}

/** Python in a folder of code is not run. */
function codeFinding(file: string): Finding[] {
  const folder = /\/(_[a-z]+)\/(?:[^/]+\/)*[^/]+\.py$/.exec(file)?.[1]
  if (folder === undefined) return []
  return [
    {
      verdict: 'missing',
      file,
      subject: `${folder} in Python`,
      message: codeFolders[folder] ?? `Brine has no ${folder}.`,
    },
  ]
}
