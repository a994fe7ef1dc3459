// The credentials of the role of an EC2 instance, as its metadata service gives them.
import { isMapping, parseJson, type Value } from '../../core/value/index.ts'
import type { Metadata } from './metadata.ts'
import type { Credentials } from './sign-request.ts'

/** Temporary credentials of the instance's role. Rejects with a BrineError `ec2-metadata` where the instance has none. */
export async function roleCredentials(metadata: Metadata): Promise<Credentials> {
  const [role = ''] = (await metadata.read('meta-data/iam/security-credentials/')).split('\n')
  const found = parseJson(await metadata.read(`meta-data/iam/security-credentials/${role}`))
  const text = (value: Value | undefined): string => (typeof value === 'string' ? value : '')
  const { AccessKeyId, SecretAccessKey, Token } = isMapping(found) ? found : {}
  return {
    accessKeyId: text(AccessKeyId),
    secretAccessKey: text(SecretAccessKey),
    sessionToken: text(Token),
  }
}
