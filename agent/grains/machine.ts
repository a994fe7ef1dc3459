// All grains of the machine, collected at once.
import type { Mapping } from '../../core/value/index.ts'
import { hardwareGrains } from './hardware.ts'
import { networkGrains } from './network.ts'
import { osGrains } from './os.ts'
import { processGrains } from './process.ts'

/** Reads /proc, /sys and /etc; asks no name server and, beyond `systemctl --version`, runs nothing. */
export async function machineGrains(id: string, master: string): Promise<Mapping> {
  const parts = await Promise.all([processGrains(id, master), networkGrains(), osGrains(), hardwareGrains()])
  return Object.assign({}, ...parts) as Mapping
}
