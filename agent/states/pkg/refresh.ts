// Whether a state of packages fetches their lists first: once a run, unless it says otherwise.
import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Value } from '../../../core/value/index.ts'
import { isTrue, refreshMark } from '../../packages/changes.ts'
import type { StateCall } from '../state-module.ts'

/** Whether to fetch the lists; the first state of a run that installs packages says so for those after it. */
export async function refreshes(call: StateCall, asked: Value): Promise<boolean> {
  const mark = refreshMark(call)
  const isFirst = !Object.keys(call.running).some((tag) => /^pkg_\|-.*_\|-(installed|latest)$/s.test(tag))
  if (isFirst) {
    await mkdir(dirname(mark), { recursive: true })
    await writeFile(mark, '')
  }
  if (asked !== null && isTrue(asked)) return true
  return asked !== false && (await isThere(mark))
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
