// Deletes every object of a bucket, so that CloudFormation can delete the bucket itself.
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { BrineError } from '../../../core/error.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import { type ClientOptions, clientConfig } from '../clients.ts'

/** Empties it, a thousand objects at a time. A bucket that is not there is empty. */
export async function emptyBucket(bucket: string, options: ClientOptions): Promise<void> {
  const client = new S3Client({ ...clientConfig(options), forcePathStyle: true })
  try {
    for (;;) {
      const keys = await keysOf(client, bucket)
      if (keys.length === 0) return
      const command = new DeleteObjectsCommand({
        Bucket: bucket,
        Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
      })
      const { Errors = [] } = await asking('objects to delete', () => client.send(command))
      if (Errors.length > 0)
        throw new BrineError(`S3 did not delete ${Errors[0]?.Key}: ${Errors[0]?.Message}.`, { code: 'deployment' })
    }
  } finally {
    client.destroy()
  }
}

async function keysOf(client: S3Client, bucket: string): Promise<string[]> {
  try {
    const { Contents = [] } = await asking('the objects of the bucket', () =>
      client.send(new ListObjectsV2Command({ Bucket: bucket })),
    )
    return Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
  } catch (error) {
    if (awsErrorName(error) === 'NoSuchBucket') return []
    throw error
  }
}
