// What a role was allowed a moment ago: IAM tells its servers within seconds, and CloudFormation does not wait for them.
import { setTimeout as sleep } from 'node:timers/promises'
import { awsErrorName, statusOf } from '../aws-error.ts'

/** How long it is tried again, and the pause between two tries. Milliseconds. */
export interface Patience {
  readonly within: number
  readonly pause: number
}

const usual: Patience = { within: 60_000, pause: 3_000 }

/** Does the work; while AWS says that it is not allowed, again, for a minute. The work has to be safe to repeat. */
export async function onceAllowed<T>(work: () => Promise<T>, { within, pause }: Patience = usual): Promise<T> {
  const last = Date.now() + within
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDenied(error) || Date.now() + pause > last) throw error
      await sleep(pause)
    }
  }
}

/** S3 has no words for a HEAD that it denies, only the status. */
function isDenied(error: unknown): boolean {
  return /^AccessDenied/.test(awsErrorName(error)) || statusOf(error) === 403
}
