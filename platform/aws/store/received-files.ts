// What minions push, as objects of the bucket: `minions/<id>/files/…`.
import type { ReceivedFiles } from '../../../master/receive-file.ts'
import { receivedObject } from '../layout/index.ts'
import type { Objects } from './objects.ts'

/** The most of a file: what one request brings, since an object has no pieces that small. */
const most = 4 * 1024 * 1024

/** Objects below each minion's own prefix. */
export function receivedObjects(objects: Pick<Objects, 'put'>): ReceivedFiles {
  return {
    async keep(minion, path, { offset, size, bytes }) {
      if (size > most) return { kind: 'too-large', most }
      if (offset !== 0 || bytes.byteLength !== size) return { kind: 'out-of-order' }
      await objects.put(receivedObject(minion, path), bytes)
      return { kind: 'kept' }
    },
  }
}
