// What AWS answers when it cannot: told as `throttled` or `busy`, so that whoever asked tries again.
import { BrineError, messageOf } from '../../core/error.ts'

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'RequestThrottled',
  'RequestThrottledException',
  'TooManyRequestsException',
  'LimitExceededException',
  'BandwidthLimitExceeded',
  'KMSThrottlingException',
  'OverLimit',
])

const passing = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
  'InternalServerError',
  'InternalFailure',
  'InternalException',
  'InternalError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'RequestTimeout',
  'RequestTimeoutException',
  'TimeoutError',
  'AbortError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The name AWS gave an error, or Node's code for a connection that failed. */
export function awsErrorName(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return error.name === 'Error' && code !== undefined ? code : error.name
}

/**
 * A BrineError `throttled` or `busy` where trying again later may help; any other error as it is. `what` says what was
 * being done, to the reader of the message.
 */
export function translated(error: unknown, what: string): unknown {
  if (error instanceof BrineError) return error
  const name = awsErrorName(error)
  if (throttles.has(name)) {
    return new BrineError(
      `AWS throttled ${what} (${name}): ${messageOf(error)}. It is tried again; if it lasts, raise the quota it names.`,
      { code: 'throttled', cause: error },
    )
  }
  if (passing.has(name) || statusOf(error) >= 500) {
    return new BrineError(`AWS could not finish ${what} (${name}): ${messageOf(error)}. It is tried again.`, {
      code: 'busy',
      cause: error,
    })
  }
  return error
}

/** The HTTP status of an answer of AWS; 0 where there was none. */
export function statusOf(error: unknown): number {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata ? metadata.httpStatusCode : 0
  return typeof status === 'number' ? status : 0
}

/** Does the work; what AWS answers in trouble is {@link translated}. */
export async function asking<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translated(error, what)
  }
}
