// Salt's `git` module, put together from its parts.
import type { ExecutionModule } from '../module.ts'
import { config } from './config.ts'
import { local } from './local.ts'
import { remote } from './remote.ts'
import { trees } from './trees.ts'
import { worktree } from './worktree.ts'

/** Salt's `git` module. */
export const git: ExecutionModule = {
  name: 'git',
  file: 'git',
  functions: { ...local, ...remote, ...config, ...worktree, ...trees },
}
