// With which options a state last mounted each place: a file of the minion's cache.
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isMapping, type Mapping } from '../../../core/value/index.ts'
import { dumpYaml } from '../../../core/yaml-writer/index.ts'
import { readTextIfThere } from '../../filesystem/read.ts'
import { writeWhole } from '../../filesystem/write.ts'
import { CommandExecutionError } from '../errors.ts'

async function read(path: string): Promise<Mapping> {
  const text = await readTextIfThere(path)
  if (text === undefined) return {}
  const { loadYaml } = await import('../../../core/render/yaml/index.ts')
  const found = loadYaml(text)
  return isMapping(found) && isMapping(found.mounts) ? found.mounts : {}
}

async function write(path: string, mounts: Mapping): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeWhole(path, dumpYaml({ mounts }, { flow: false }))
  } catch (error) {
    throw new CommandExecutionError('Unable to write mount cache.', error)
  }
}

/** What is remembered of a place; an empty map where nothing is. */
export async function rememberedMount(path: string, name: string): Promise<Mapping> {
  const found = (await read(path))[name]
  return isMapping(found) ? found : {}
}

/** Remembers a place. Throws CommandExecutionError where the file cannot be written. */
export async function rememberMount(path: string, name: string, about: Mapping): Promise<true> {
  await write(path, { ...(await read(path)), [name]: about })
  return true
}

/** Forgets a place. */
export async function forgetMount(path: string, name: string): Promise<true> {
  const { [name]: found, ...rest } = await read(path)
  if (found !== undefined) await write(path, rest)
  return true
}
