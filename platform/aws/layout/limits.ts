// Sizes and counts that AWS bounds, and those chosen below its bounds.

/** Bytes of a record in an item; what is larger is stored in S3 and the item holds its hash (a claim check). DynamoDB's bound is 400 KB. */
export const recordLimit = 200 * 1024

/** Bytes of a PutEvents call, all entries together: EventBridge's bound. */
export const putEventsBytes = 256 * 1024

/** Entries of a PutEvents call: EventBridge's bound. */
export const putEventsEntries = 10

/** Bytes of an event's data on the bus; what is larger travels as a claim check. Leaves room for SQS's envelope. */
export const eventLimit = 200 * 1024

/** Characters of a `detail-type`: EventBridge's bound. */
export const detailTypeLimit = 128

/** Entries of an SQS batch: SQS's bound. */
export const queueBatch = 10

/** Seconds a message can be put off at once: SQS's bound (12 hours), which counts from when the message was received, less the longest function. */
export const longestVisibility = 42_000

/** Items of a transaction: DynamoDB's bound. */
export const transactionItems = 100

/** Items of one batch to write, and keys of one batch to read: DynamoDB's bounds. */
export const writeBatch = 25
/** See {@link writeBatch}. */
export const readBatch = 100

/** Minions that one message of the fan-out queue stands for. */
export const fanOutHundreds = 300

/** A job to more minions than this goes through the fan-out queue. */
export const fanOutFrom = 500

/** Minions whose returns share one partition; a job's shards follow from how many it went to. */
export const returnsPerShard = 500
/** Partitions that the returns of one job are spread over at most. */
export const mostReturnShards = 32

/** Partitions that lists of all minions, keys and sockets are spread over. */
export const listShards = 8

/** Partitions of lists that are in order of time: audit, jobs. */
export const timeShards = 4

/** Milliseconds in which a socket dies unless its minion is heard of: three pings of eight minutes. */
export const socketLease = 3 * 8 * 60_000
