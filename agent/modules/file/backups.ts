// The copies that `backup: minion` left: listed, restored, deleted.
import type { Mapping } from '../../../core/value/index.ts'
import { backUp, backupNumbered, backupRoot, backupsIn, backupsOf, deleteBackup } from '../../filesystem/backup.ts'
import { osErrorText } from '../../filesystem/os-error.ts'
import { copyWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../arguments.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { pathOf } from './asked.ts'

function limitOf(args: Arguments): number | undefined {
  const text = args.textIfAny('limit')
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

async function restore(args: Arguments, call: Call): Promise<Mapping> {
  const path = await pathOf(args)
  const root = backupRoot(call.agent.opts)
  const found = await backupNumbered(path, root, args.text('backup_id'))
  if (typeof found === 'string') return { result: false, comment: found }
  await backUp(path, root, call.agent.outside.now())
  try {
    await copyWhole(found.Location, path)
    return { result: true, comment: `Successfully restored ${found.Location} to ${path}` }
  } catch (error) {
    return { result: false, comment: `Unable to restore ${found.Location} to ${path}: ${osErrorText(error)}` }
  }
}

const list = async (args: Arguments, call: Call) =>
  backupsOf(await pathOf(args), backupRoot(call.agent.opts), limitOf(args))

const forget = async (args: Arguments, call: Call) =>
  deleteBackup(await pathOf(args), backupRoot(call.agent.opts), args.text('backup_id'))

const listDoc = (name: string): string => `List the copies of a file that \`\`backup: minion\`\` left, the latest 0.

limit
    At most so many.${examples(`brine '*' file.${name} /foo/bar/baz.txt`)}`

const deleteDoc = (name: string): string =>
  `Delete a copy of a file, by its number.${examples(`brine '*' file.${name} /var/cache/salt/minion/file_backup/home/foo/bar/baz.txt 0`)}`

/** The functions, by their names. */
export const backups: Readonly<Record<string, ExecutionFunction>> = {
  list_backups: define('path, limit=None', listDoc('list_backups'), list, { readOnly: true }),
  list_backup: define('path, limit=None', listDoc('list_backup'), list, { readOnly: true }),
  list_backups_dir: define(
    'path, limit=None',
    `List the copies of every file of a directory (a path that ends in a slash), by their names.${examples("brine '*' file.list_backups_dir /foo/bar/baz/")}`,
    async (args, call) => backupsIn(await pathOf(args), backupRoot(call.agent.opts), limitOf(args)),
    { readOnly: true },
  ),
  restore_backup: define(
    'path, backup_id',
    `Put a copy back, by its number. What is there is kept as the latest copy.${examples("brine '*' file.restore_backup /foo/bar/baz.txt 0")}`,
    restore,
  ),
  delete_backup: define('path, backup_id', deleteDoc('delete_backup'), forget),
  remove_backup: define('path, backup_id', deleteDoc('remove_backup'), forget),
}
