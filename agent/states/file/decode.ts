// `file.decode`: a file has what a text in base64 says.
import { createHash } from 'node:crypto'
import { pythonStr } from '../../../core/value/index.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { isRegularFile } from '../../filesystem/paths.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { CommandExecutionError } from '../../modules/errors.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended } from './outcome.ts'

async function contentsOf(args: Arguments, call: StateCall): Promise<string> {
  const [data, pillar] = [args.textIfAny('encoded_data'), args.textIfAny('contents_pillar')]
  if (data === undefined && pillar === undefined)
    throw new CommandExecutionError("Specify either the 'encoded_data' or 'contents_pillar' argument.")
  if (data !== undefined && pillar !== undefined)
    throw new CommandExecutionError("Specify only one 'encoded_data' or 'contents_pillar' argument.")
  if (data !== undefined) return data
  const found = await call.salt('pillar.get', [pillar ?? '', false])
  if (found === false) throw new CommandExecutionError('Pillar data not found.')
  return pythonStr(found)
}

/** Each line is a text of its own, as Python reads them. */
const bytesOf = (text: string): Buffer => Buffer.concat(text.split('\n').map((line) => Buffer.from(line, 'base64')))

async function decode(args: Arguments, call: StateCall): Promise<Managed> {
  const name = args.text('name')
  const ret = begun(name, false)
  const bytes = bytesOf(await contentsOf(args, call))
  const form = args.text('checksum')
  const wanted = createHash(form).update(bytes).digest('hex')
  const old = (await isRegularFile(name)) ? await hashFile(name, form) : null
  if (old === wanted) return ended(ret, true, 'File is in the correct state.')
  if (call.test) return ended(ret, null, 'File is set to be updated.', old === null ? {} : { old, new: wanted })
  await writeWhole(name, bytes)
  return ended(ret, true, 'File was updated.', { old, new: wanted })
}

/** `file.decode`. */
export const decodeState = defineState(
  "name, encoded_data=None, contents_pillar=None, encoding_type='base64', checksum='md5'",
  `A file has what a text in base64 says, for contents that YAML cannot hold.

encoded_data, contents_pillar
    The text, or where it is in the pillar.
checksum
    The digest by which the file is compared and the change is told.${slsExample(`
/tmp/new_file:
  file.decode:
    - encoded_data: |
        Z2V0IHNhbHRlZAo=`)}`,
  decode,
)
