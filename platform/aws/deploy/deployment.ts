// Puts a deployment in force (files, then the reactor set), and empties the bucket when the stack goes.

import { BrineError } from '../../../core/error.ts'
import { fingerOf } from '../../../master/keys.ts'
import type { ClientOptions } from '../clients.ts'
import { filesLock } from '../layout/index.ts'
import type { AwsStore } from '../store/aws-store.ts'
import type { ReactorLibrary } from '../store/config-store.ts'
import { type FileModes, storeFiles } from '../store/file-store.ts'
import { locked } from '../store/lock.ts'
import { bucketObjects } from '../store/objects.ts'
import { answerRequest, type CustomRequest } from './custom-resource.ts'
import { emptyBucket } from './empty-bucket.ts'
import { onceAllowed } from './once-allowed.ts'

export type { CustomRequest } from './custom-resource.ts'

/** The asset of a deployment: `cdk/content.ts` packs it. */
interface Content {
  readonly library: ReactorLibrary
  /** Bytes in base64, by saltenv and path. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Absent in assets of earlier versions. */
  readonly modes?: FileModes
}

/**
 * Handles a request of CloudFormation. The answer's `Finger` is the signing key's. Safe to repeat: files and sets are
 * named by their content, and the pointer is moved last.
 */
export async function handleDeployment(
  store: Pick<AwsStore, 'objects' | 'config' | 'signer' | 'dynamo' | 'clock'>,
  bucket: string,
  request: CustomRequest,
  clients: ClientOptions = {},
): Promise<void> {
  await answerRequest(request, () => onceAllowed(work))

  async function work(): Promise<Readonly<Record<string, string>>> {
    const { bucket: from = '', key = '', emptyOnDelete } = request.ResourceProperties
    if (request.RequestType === 'Delete') {
      if (emptyOnDelete === 'yes') await emptyBucket(bucket, clients)
      return {}
    }
    const bytes = await bucketObjects(from, clients).get(key)
    if (bytes === undefined)
      throw new BrineError(`The asset ${key} is not in ${from}. Deploy again with the asset published.`, {
        code: 'deployment',
      })
    const { library, files, modes } = JSON.parse(Buffer.from(bytes).toString()) as Content
    await locked(store, filesLock, 'The list of files', () => storeFiles(store.objects, decoded(files), modes))
    await store.config.install(library)
    return { Finger: fingerOf(await store.signer.publicKey()) }
  }
}

function decoded(files: Content['files']): Record<string, Record<string, Uint8Array>> {
  const trees = Object.entries(files).map(([saltenv, tree]) => {
    const paths = Object.entries(tree).map(([path, text]) => [path, Buffer.from(text, 'base64')] as const)
    return [saltenv, Object.fromEntries(paths)] as const
  })
  return Object.fromEntries(trees)
}
