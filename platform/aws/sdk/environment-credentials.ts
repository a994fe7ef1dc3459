// The credentials of a Lambda function: those of its environment. Bundled in place of the SDK's chain of providers, which
// also knows profiles, SSO, containers and instances, and is a fifth of a function's size.
import { BrineError } from '../../../core/error.ts'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** What the SDK asks for under this name; Lambda gives each process credentials that outlive it. */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
    const sessionToken = process.env.AWS_SESSION_TOKEN
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new BrineError('The environment has no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. Lambda sets them.', {
        code: 'credentials',
      })
    return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) }
  }
}
