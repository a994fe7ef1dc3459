// One machine ended: told, terminated, renamed, and its minion's key deleted.
import { randomUUID } from 'node:crypto'
import { messageOf } from '../../core/error.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { literalGlob } from '../key-glob.ts'
import type { Keys } from '../keys.ts'
import type { KeyRing } from '../ports.ts'
import { RunError } from '../run.ts'
import type { MachineAt } from './actions.ts'
import { minionOf } from './creation.ts'
import type { CloudOutside } from './ports.ts'
import { placeOf } from './providers.ts'
import type { TellCloud } from './tell.ts'

/** What a destruction works with. */
export interface DestructionNeeds {
  readonly outside: CloudOutside
  readonly ring: Pick<KeyRing, 'get' | 'list'>
  readonly keys: Pick<Keys, 'delete'>
  readonly tell: TellCloud
}

/**
 * Ends a machine; safe to repeat. It is renamed, since EC2 tells of it for an hour yet, unless `rename_on_destroy` is
 * False. The key goes that was verified for this machine, or, where none was verified for any, the one of its name.
 */
export async function destroyMachine(needs: DestructionNeeds, at: MachineAt): Promise<Mapping> {
  const { outside, tell } = needs
  const { name, node, settings } = at
  const instance = pythonStr(node.id ?? '')
  await tell.step(name, 'destroying', { name, instance_id: instance }, instance)
  const changed = await terminated(needs, at, instance)
  const newname = settings.rename_on_destroy === false ? undefined : await renamed(needs, at, instance)
  const request = node.spotInstanceRequestId
  if (request !== undefined)
    outside.warn(`cloud: the spot request ${pythonStr(request)} of ${name} is left to end by itself`)
  await deleteKey(needs, at, instance)
  await outside.store.forget(instance)
  await outside.store.ended(name)
  await tell.step(name, 'destroyed', { name, instance_id: instance }, instance)
  return { ...(newname === undefined ? {} : { newname }), ...changed }
}

async function renamed({ outside }: DestructionNeeds, at: MachineAt, id: string): Promise<string | undefined> {
  const other = `${at.name}-DEL${randomUUID().replaceAll('-', '')}`
  try {
    await outside.machines.tag(placeOf(at.settings), id, { Name: other })
    return other
  } catch (error) {
    outside.warn(`cloud: ${id} ends, and keeps the name ${at.name}: ${messageOf(error)}`)
    return undefined
  }
}

async function terminated({ outside }: DestructionNeeds, { name, settings }: MachineAt, id: string): Promise<Mapping> {
  try {
    return await outside.machines.change(placeOf(settings), id, 'terminate')
  } catch (error) {
    if (!/OperationNotPermitted/.test(messageOf(error))) throw error
    throw new RunError(
      `This instance has been protected from being destroyed. Use the following command to disable protection:\n\nbrine-cloud -a disable_term_protect ${name}`,
    )
  }
}

async function deleteKey({ ring, keys }: DestructionNeeds, { name, settings }: MachineAt, id: string): Promise<void> {
  const records = await ring.list()
  const verified = records.find(({ current }) => current?.identity?.instance_id === id)
  const named = records.find((record) => record.id === minionOf(settings, name))
  const isAnothers = named?.current?.identity?.instance_id !== undefined
  const minion = verified?.id ?? (isAnothers ? undefined : named?.id)
  if (minion !== undefined) await keys.delete([literalGlob(minion)], `the end of ${name}`)
}
