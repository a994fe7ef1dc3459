// A message of a queue as Lambda hands it to a function.

/** The part of an SQS record that handlers read. */
export interface QueueRecord {
  readonly messageId: string
  readonly receiptHandle: string
  readonly body: string
  readonly attributes: { readonly ApproximateReceiveCount: string }
  /** Others, which nobody here reads. */
  readonly [field: string]: unknown
}

/** A batch of them. */
export interface QueueEvent {
  readonly Records: QueueRecord[]
}

/** What Lambda knows of an invocation beside its event. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number
}

/** Which messages of a batch have to come again. */
export interface BatchAnswer {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[]
}
