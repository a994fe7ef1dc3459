// Reading a configuration for a command: files, environment and places, with every problem said on stderr.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type ConfigProblem,
  type ParsedMaster,
  type ParsedMinion,
  parseMasterConfig,
  parseMinionConfig,
  problemText,
} from '../core/config/index.ts'
import { BrineError } from '../core/error.ts'
import { type Places, placesOf, readConfigFiles } from './config-files.ts'

/** Where configuration problems are said. */
export type Say = (line: string) => void

/** The master's configuration. Warnings are said only where `verbose`; an invalid value stops everything. */
export async function masterConfig(
  configDir: string | undefined,
  environment: NodeJS.ProcessEnv,
  verbose: boolean,
  say: Say,
): Promise<ParsedMaster & { readonly confFile: string }> {
  const places = placesOf(configDir, environment, isRoot())
  sayWhereMissing(configDir, say)
  const parsed = parseMasterConfig(
    await readConfigFiles(places.configDir, 'master'),
    environment,
    defaultsOf(places, 'master'),
  )
  report(parsed.problems, verbose, say)
  return { ...parsed, confFile: resolve(places.configDir, 'master') }
}

/**
 * The reactor's entries as the configuration has them now. Throws with all that is wrong with them: at a reload nothing is
 * skipped, as it is at start.
 */
export async function reactorEntries(
  configDir: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<ParsedMaster['reactor']['entries']> {
  const { reactor, problems } = await masterConfig(configDir, environment, false, () => undefined)
  const wrong = problems.filter(({ message }) => message.startsWith('reactor'))
  if (wrong.length > 0) throw new BrineError(wrong.map(problemText).join('; '), { code: 'config' })
  return reactor.entries
}

/** What a command line says over a minion's configuration. */
export interface MinionOverrides {
  readonly configDir?: string | undefined
  readonly id?: string | undefined
  readonly master?: string | undefined
}

/** The minion's configuration, likewise, and the folder it came from. */
export async function minionConfig(
  { configDir, id, master }: MinionOverrides,
  environment: NodeJS.ProcessEnv,
  verbose: boolean,
  say: Say,
): Promise<ParsedMinion & { readonly confDir: string }> {
  const places = placesOf(configDir, environment, isRoot())
  sayWhereMissing(configDir, say)
  const parsed = parseMinionConfig(
    await readConfigFiles(places.configDir, 'minion'),
    environment,
    defaultsOf(places, 'minion'),
  )
  report(parsed.problems, verbose, say)
  const config = { ...parsed.config, ...(id === undefined ? {} : { id }), ...(master === undefined ? {} : { master }) }
  return { ...parsed, config, confDir: places.configDir }
}

/** A folder that was named should be there; without one of its own a command has the defaults. */
function sayWhereMissing(configDir: string | undefined, say: Say): void {
  if (configDir !== undefined && !existsSync(configDir))
    say(`WARNING: CONFIG '${configDir}' directory does not exist.\n`)
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The folders of whoever is not root; root's are the defaults of the keys themselves. */
function defaultsOf(places: Places, kind: 'master' | 'minion'): Record<string, string> {
  if (isRoot()) return { pki_dir: `${places.configDir}/pki/${kind}` }
  return {
    pki_dir: `${places.configDir}/pki/${kind}`,
    cachedir: `${places.stateDir}/cache/${kind}`,
    data_dir: `${places.stateDir}/${kind}`,
    sock_dir: `${places.runtimeDir}/${kind}`,
    log_file: `${places.logDir}/${kind}`,
  }
}

function report(problems: readonly ConfigProblem[], verbose: boolean, say: Say): void {
  const errors = problems.filter(({ severity }) => severity === 'error')
  for (const problem of problems) {
    if (problem.severity === 'warning' && verbose) say(`[WARNING ] ${problemText(problem)}\n`)
  }
  if (errors.length === 0) return
  throw new BrineError(errors.map(problemText).join('\n'), { code: 'config' })
}
