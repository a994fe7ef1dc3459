// Salt's `file` module, put together from its parts.
import type { ExecutionModule } from '../module.ts'
import { backups } from './backups.ts'
import { changing } from './change.ts'
import { contents } from './contents.ts'
import { devices } from './devices.ts'
import { editing } from './edits.ts'
import { finding } from './find.ts'
import { inspecting } from './inspect.ts'
import { managing } from './managing.ts'
import { opened } from './open.ts'
import { sedding } from './sed.ts'

/** Salt's `file` module. */
export const file: ExecutionModule = {
  name: 'file',
  file: 'file',
  functions: {
    ...inspecting,
    ...contents,
    ...changing,
    ...editing,
    ...finding,
    ...backups,
    ...managing,
    ...devices,
    ...sedding,
    ...opened,
  },
}
