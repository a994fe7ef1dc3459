// A minion's configuration from its files and the environment.
import type { ReactorConfig } from '../sls/reactor-config.ts'
import type { Dict, Mapping } from '../value/index.ts'
import { checkKeys, placeOf, writtenOptions } from './check.ts'
import { type Environment, environmentKeys } from './environment.ts'
import { reactorOf } from './master.ts'
import { masterKeys } from './master-keys.ts'
import { type ConfigFile, mergeFiles, type Written } from './merge.ts'
import { type MinionConfig, minionKeys } from './minion-keys.ts'
import type { ConfigProblem } from './problem.ts'
import { moveBelowRoot } from './root-dir.ts'
import { saltOnlyKeys } from './salt-only-keys.ts'

/** A minion's configuration, and what was found wrong on the way. With an `error` among it, do not start. */
export interface ParsedMinion {
  readonly config: MinionConfig
  /** What a minion without a master reacts to. */
  readonly reactor: ReactorConfig
  /** All that was written, also keys that Brine does not know. */
  readonly written: Mapping | Dict
  readonly problems: readonly ConfigProblem[]
}

/**
 * Reads `minion` and `minion.d/*.conf`, in the order given; `BRINE_*` variables go over them, `defaults` under them.
 * Never throws: whatever is wrong is among the problems, with file and line.
 */
export function parseMinionConfig(
  files: readonly ConfigFile[],
  environment: Environment = {},
  defaults: Partial<MinionConfig> = {},
): ParsedMinion {
  const problems: ConfigProblem[] = []
  const written = oneMaster(
    new Map([...mergeFiles(files, problems), ...environmentKeys(minionKeys, environment)]),
    problems,
  )
  const config = moveBelowRoot(minionKeys, checkKeys(minionKeys, written, defaults, elsewhere, problems), written)
  const reactor = reactorOf(config.reactor, written.get('reactor'), problems)
  return { config, reactor, written: writtenOptions(written), problems }
}

function elsewhere(key: string): string | undefined {
  return Object.hasOwn(masterKeys, key) ? "It belongs into the master's configuration." : saltOnlyKeys.get(key)
}

/** A list of masters is taken for its first. */
function oneMaster(written: Map<string, Written>, problems: ConfigProblem[]): Map<string, Written> {
  const master = written.get('master')
  if (master === undefined || !Array.isArray(master.value)) return written
  const [first = null, ...others] = master.value
  if (others.length > 0) {
    const message = `master lists ${others.length + 1} masters, and only the first is used. One URL stands for all of a master.`
    problems.push({ severity: 'warning', ...placeOf(master), message })
  }
  return written.set('master', { ...master, value: first })
}
