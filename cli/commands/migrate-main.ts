// `brine migrate`: what of a Salt master works here, and its keys.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/error.ts'
import { type BrineMigrateInvocation, readBrineMigrate } from '../options/brine-migrate.ts'
import { parseContext } from '../parse-context.ts'
import { type ClientSettings, findMaster } from './client-command.ts'
import type { Io } from './io.ts'
import { admitKeys, readKeys } from './key-import.ts'
import { confirmed } from './key-question.ts'

/** Runs `brine migrate` with the words after it; answers the exit code, 2 where something cannot be read or reached. */
export async function migrateMain(argv: readonly string[], io: Io): Promise<number> {
  const invocation = await readBrineMigrate(argv, parseContext())
  if (invocation.kind === 'end') {
    await io.out(invocation.stdout)
    io.err(invocation.stderr)
    return invocation.exit
  }
  let settings: ClientSettings | undefined
  try {
    if (invocation.action === 'check') return await check(invocation, io)
    const keys = acceptedKeys(invocation.folder)
    if (!invocation.options.flag('dry_run')) settings = await findMaster(invocation.options, io)
    return await importAccepted(keys, invocation, settings, io)
  } catch (error) {
    io.err(`[ERROR   ] ${messageOf(error)}\n`)
    return 2
  } finally {
    settings?.connection.close()
  }
}

async function check({ folder, options }: BrineMigrateInvocation, io: Io): Promise<number> {
  const [{ inspect }, { reportText, reportValue }] = await Promise.all([
    import('./migrate-check.ts'),
    import('./migrate-report.ts'),
  ])
  const findings = await inspect(folder, options.text('root'), io)
  if (options.text('output') === 'json') await io.out(`${JSON.stringify(reportValue(findings), undefined, 4)}\n`)
  else await io.out(reportText(findings, options.flag('verbose')))
  return findings.some(({ verdict }) => verdict === 'missing') ? 1 : 0
}

/** The keys in `minions` of a master's pki directory; of another folder or file, those themselves. */
function acceptedKeys(folder: string): Record<string, string> {
  const accepted = join(folder, 'minions')
  return readKeys(existsSync(accepted) ? accepted : folder)
}

async function importAccepted(
  keys: Record<string, string>,
  { folder, options }: BrineMigrateInvocation,
  settings: ClientSettings | undefined,
  io: Io,
): Promise<number> {
  const ids = Object.keys(keys)
  if (ids.length === 0) {
    await io.out(`There are no accepted keys in ${folder}.\n`)
    return 0
  }
  const { pemFinger } = await import('../../agent/keys.ts')
  await io.out('The following keys are going to be accepted:\n')
  for (const [id, pem] of Object.entries(keys)) await io.out(`${id}:  ${pemFinger(pem)}\n`)
  if (settings === undefined) return 0
  if (!options.flag('yes') && !(await confirmed(io, false))) return 0
  return admitKeys(settings.connection, keys, io)
}
