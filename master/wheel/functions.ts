// The wheel functions there are: adding some touches their own file and one line here.
import type { Mapping } from '../../core/value/index.ts'
import type { Keys } from '../keys.ts'
import type { RootsFiles, Signer } from '../ports.ts'
import type { Presence } from '../presence.ts'
import type { FunctionTable } from '../run.ts'
import { type ConfigFiles, configWheel } from './config.ts'
import { errorWheel } from './error.ts'
import { keyWheel } from './key.ts'
import { rootsWheel } from './roots.ts'

/** What wheel functions are made from. */
export interface WheelNeeds {
  readonly keys: Keys
  readonly signer: Pick<Signer, 'publicKey'>
  /** The master's configuration. */
  readonly opts: Mapping
  readonly presence: Presence
  /** Where settings may be written. @default nowhere */
  readonly configFiles?: ConfigFiles | undefined
  readonly files: RootsFiles
  /** Where pillar comes from, where it comes from files. */
  readonly pillarFiles?: RootsFiles | undefined
}

/** All wheel functions by full name. */
export function createWheel({
  keys,
  signer,
  opts,
  presence,
  files,
  pillarFiles,
  configFiles,
}: WheelNeeds): FunctionTable {
  return new Map(
    Object.entries({
      ...keyWheel(keys, signer),
      ...configWheel({ opts, presence, configFiles }),
      ...errorWheel(),
      ...rootsWheel('file_roots', files),
      ...(pillarFiles === undefined ? {} : rootsWheel('pillar_roots', pillarFiles)),
    }),
  )
}
