// Reading the configuration of clouds, apart from the rest: only masters need its schemas.

import { type CloudConfig, readCloudConfig } from '../core/cloud/index.ts'
import { problemText } from '../core/config/index.ts'
import { BrineError } from '../core/error.ts'
import { readConfigFiles } from './config-files.ts'
import type { Say } from './configuration.ts'

/** The configuration of clouds, from the folder of the master's. Throws with all that is wrong in it. */
export async function cloudConfig(configDir: string, warn: Say): Promise<CloudConfig> {
  const [cloud, providers, profiles] = await Promise.all([
    readConfigFiles(configDir, 'cloud'),
    readConfigFiles(configDir, 'cloud.providers'),
    readConfigFiles(configDir, 'cloud.profiles'),
  ])
  const config = readCloudConfig({ cloud, providers, profiles })
  const errors = config.problems.filter(({ severity }) => severity === 'error')
  for (const problem of config.problems) if (problem.severity === 'warning') warn(problemText(problem))
  if (errors.length > 0) throw new BrineError(errors.map(problemText).join('\n'), { code: 'config' })
  return config
}
