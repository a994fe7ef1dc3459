// Where the exchanges recorded with salt-api are; they stand beside the repository and may be absent.
import { join } from 'node:path'

/** Their folder. */
export const exchanges = join(import.meta.dirname, '../../../shared/golden/api')
