// Writes that build on one another, where each is a request of its own: one after the other.
import type { WriteOrder } from '../../../master/ports.ts'

/** Makes each when the one before it is durable. */
export const oneByOne: WriteOrder = {
  async inOrder(...writes) {
    for (const write of writes) await write()
  },
}
