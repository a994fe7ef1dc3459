// The door to S3: objects of one bucket, by key. The client is loaded when it is first used: few requests need it.
import type { S3Client } from '@aws-sdk/client-s3'
import { asking, awsErrorName } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'

/** Objects of the bucket. */
export interface Objects {
  /** The whole object, or what there is of a range. */
  get(key: string, range?: { readonly offset: number; readonly length: number }): Promise<Uint8Array | undefined>
  /** Durable when it resolves. */
  put(key: string, bytes: Uint8Array): Promise<void>
  has(key: string): Promise<boolean>
}

/** The objects of a bucket. */
export function bucketObjects(bucket: string, options: ClientOptions): Objects {
  let loading: Promise<{ client: S3Client; sdk: typeof import('../sdk/s3.ts') }> | undefined
  const load = () => {
    loading ??= (async () => {
      const [sdk, { clientConfig }] = await Promise.all([import('../sdk/s3.ts'), import('../clients.ts')])
      // Path style, because an emulator's host has no name for each bucket.
      return { sdk, client: new sdk.S3Client({ ...clientConfig(options), forcePathStyle: true }) }
    })()
    return loading
  }
  return {
    async get(key, range) {
      const { client, sdk } = await load()
      return ifThere(`a read of ${key}`, async () => {
        if (range !== undefined && range.length === 0) return new Uint8Array()
        const bytes = range === undefined ? {} : { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` }
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key, ...bytes }))
        return Body?.transformToByteArray()
      })
    },
    async put(key, bytes) {
      const { client, sdk } = await load()
      await asking(`a write of ${key}`, () =>
        client.send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes })),
      )
    },
    async has(key) {
      const { client, sdk } = await load()
      const found = await ifThere(`a look at ${key}`, () =>
        client.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key })),
      )
      return found !== undefined
    },
  }
}

async function ifThere<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  return asking(what, async () => {
    try {
      return await work()
    } catch (error) {
      if (['NoSuchKey', 'NotFound'].includes(awsErrorName(error))) return undefined
      throw error
    }
  })
}
