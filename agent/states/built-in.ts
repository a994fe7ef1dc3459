// Every state module the agent brings along.
import { cmd } from './cmd.ts'
import { event } from './event.ts'
import { file } from './file/file.ts'
import { grains } from './grains.ts'
import { group } from './group.ts'
import { module } from './module.ts'
import { pkg } from './pkg/pkg.ts'
import { service } from './service/service.ts'
import type { StateModule } from './state-module.ts'
import { test } from './test.ts'
import { user } from './user.ts'

/** The built-in state modules; a new one adds its line here. */
export const builtInStates: readonly StateModule[] = [cmd, event, file, grains, group, module, pkg, service, test, user]
