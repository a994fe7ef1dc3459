// Every state module the agent brings along.
import { beacon } from './beacon.ts'
import { cmd } from './cmd.ts'
import { cron } from './cron.ts'
import { event } from './event.ts'
import { file } from './file/file.ts'
import { git } from './git/git.ts'
import { grains } from './grains.ts'
import { group } from './group.ts'
import { module } from './module.ts'
import { pkg } from './pkg/pkg.ts'
import { schedule } from './schedule.ts'
import { service } from './service/service.ts'
import type { StateModule } from './state-module.ts'
import { test } from './test.ts'
import { user } from './user.ts'

/** The built-in state modules; a new one adds its line here. */
export const builtInStates: readonly StateModule[] = [
  beacon,
  cmd,
  cron,
  event,
  file,
  git,
  grains,
  group,
  module,
  pkg,
  schedule,
  service,
  test,
  user,
]
