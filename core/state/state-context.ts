// The variables that an SLS file's template sees about itself and about the minion.
import { templatePlace } from '../render/sls-context.ts'
import type { Dict, Mapping, Value } from '../value/index.ts'
import type { SlsFile } from './state-files.ts'

/** What a state's template knows besides its file. */
export interface StateFacts {
  readonly grains: Mapping | Dict
  readonly pillar: Mapping | Dict
  readonly opts: Mapping | Dict
}

/** Every variable of an SLS file's template but `salt`. */
export function stateContext(file: SlsFile, facts: StateFacts): Record<string, Value> {
  return {
    grains: facts.grains,
    pillar: facts.pillar,
    opts: facts.opts,
    saltenv: file.env,
    env: file.env,
    sls: file.sls,
    proxy: {},
    tmplpath: file.path,
    ...templatePlace(file.path, file.sls),
  }
}
