// The door to DynamoDB: items by key, conditional writes, partitions in order. Reads are consistent.
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { BrineError } from '../../../core/error.ts'
import { asking, awsErrorName } from '../aws-error.ts'
import { type ItemKey, readBatch, type TableName, transactionItems, writeBatch } from '../layout/index.ts'
import { inBatches, inParallel } from './parallel.ts'

/** An item as DynamoDB has it. */
export type Attributes = Record<string, AttributeValue>

/** A condition or an update: an expression with its names and values. */
export interface Expression {
  readonly text: string
  readonly names?: Readonly<Record<string, string>>
  readonly values?: Readonly<Record<string, AttributeValue>>
}

/** One write of a transaction. */
export type Write =
  | { readonly kind: 'put'; readonly table: TableName; readonly item: Attributes; readonly if?: Expression }
  | { readonly kind: 'delete'; readonly table: TableName; readonly key: ItemKey; readonly if?: Expression }
  | {
      readonly kind: 'update'
      readonly table: TableName
      readonly key: ItemKey
      readonly set: string
      readonly values: Readonly<Record<string, AttributeValue>>
      readonly names?: Readonly<Record<string, string>>
      readonly if?: string
    }

/** What came of a conditional write; `old` is the item before, or the one that stood against it. */
export interface Written {
  readonly done: boolean
  readonly old: Attributes | undefined
}

/** What part of a partition to read. Bounds are exclusive but `from` and `to`. */
export interface Range {
  readonly from?: string
  readonly to?: string
  readonly after?: string
  readonly beginning?: string
  readonly reverse?: boolean
  readonly limit?: number
  /** Items of one page, for a reader that stops when it has enough. */
  readonly page?: number
}

/** The item does not exist. */
export const isAbsent: Expression = { text: 'attribute_not_exists(pk)' }

/** A number, a text, or bytes as an attribute. */
export const n = (value: number): AttributeValue => ({ N: String(value) })
/** See {@link n}. */
export const s = (value: string): AttributeValue => ({ S: value })

/** The number in an attribute; undefined where there is none. */
export function numberIn(item: Attributes | undefined, name: string): number | undefined {
  const text = item?.[name]?.N
  return text === undefined ? undefined : Number(text)
}

/** A key as DynamoDB has it. */
export function keyItem({ pk, sk }: ItemKey): Attributes {
  return { pk: s(pk), sk: s(sk) }
}

/** Reasons for which a transaction is refused each time it is tried. */
const lasting = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded', 'AccessDenied'])
const CONFLICT_TRIES = 10
const CONFLICT_PAUSE = 40

/**
 * Reads and writes items. What DynamoDB cannot do now is thrown as `throttled` or `busy`; transactions that met another
 * are tried again here first, with growing random pauses.
 */
export class Dynamo {
  readonly #client: DynamoDBClient
  readonly #tables: Readonly<Record<TableName, string>>

  constructor(client: DynamoDBClient, tables: Readonly<Record<TableName, string>>) {
    this.#client = client
    this.#tables = tables
  }

  async get(table: TableName, key: ItemKey): Promise<Attributes | undefined> {
    const command = new GetItemCommand({ TableName: this.#tables[table], Key: keyItem(key), ConsistentRead: true })
    return (await asking(`a read of ${table}`, () => this.#client.send(command))).Item
  }

  /** The items there are of these keys, each once, in no order. */
  async getMany(table: TableName, keys: readonly ItemKey[]): Promise<Attributes[]> {
    const name = this.#tables[table]
    // DynamoDB refuses a batch that names a key twice.
    const unique = [...new Map(keys.map((key) => [JSON.stringify([key.pk, key.sk]), key])).values()]
    const pages = await inParallel(inBatches(unique, readBatch), async (batch) => {
      const found: Attributes[] = []
      let open: Attributes[] = batch.map(keyItem)
      for (let tries = 0; open.length > 0; tries++) {
        const request = { RequestItems: { [name]: { Keys: open, ConsistentRead: true } } }
        const answer = await asking(`a read of ${table}`, () => this.#client.send(new BatchGetItemCommand(request)))
        found.push(...(answer.Responses?.[name] ?? []))
        open = answer.UnprocessedKeys?.[name]?.Keys ?? []
        if (open.length > 0) await this.#pause(tries, table)
      }
      return found
    })
    return pages.flat()
  }

  /** Puts an item; `done` is false where the condition does not hold. */
  put(table: TableName, item: Attributes, condition?: Expression): Promise<Written> {
    const command = new PutItemCommand({ TableName: this.#tables[table], Item: item, ...conditionOf(condition) })
    return this.#conditional(`a write to ${table}`, async () => {
      await this.#client.send(command)
      return undefined
    })
  }

  /** Changes an item, or makes it; `old` is what it was before. */
  update(table: TableName, key: ItemKey, set: Expression, condition?: string): Promise<Written> {
    const command = new UpdateItemCommand({
      TableName: this.#tables[table],
      Key: keyItem(key),
      UpdateExpression: set.text,
      ...expressionOf(set),
      ...(condition === undefined
        ? {}
        : { ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
      ReturnValues: 'ALL_OLD',
    })
    return this.#conditional(`a write to ${table}`, async () => (await this.#client.send(command)).Attributes)
  }

  /** Removes an item; `old` is what it was, where there was one. */
  delete(table: TableName, key: ItemKey, condition?: Expression): Promise<Written> {
    const command = new DeleteItemCommand({
      TableName: this.#tables[table],
      Key: keyItem(key),
      ...conditionOf(condition),
      ReturnValues: 'ALL_OLD',
    })
    return this.#conditional(`a write to ${table}`, async () => (await this.#client.send(command)).Attributes)
  }

  /** Puts and removes many, without conditions, in no order. A failure leaves some of them written. */
  async writeMany(table: TableName, puts: readonly Attributes[], deletes: readonly ItemKey[] = []): Promise<void> {
    const name = this.#tables[table]
    const requests: WriteRequest[] = [
      ...puts.map((Item) => ({ PutRequest: { Item } })),
      ...deletes.map((key) => ({ DeleteRequest: { Key: keyItem(key) } })),
    ]
    await inParallel(inBatches(requests, writeBatch), async (batch) => {
      let open = batch
      for (let tries = 0; open.length > 0; tries++) {
        const request = { RequestItems: { [name]: open } }
        const answer = await asking(`a write to ${table}`, () => this.#client.send(new BatchWriteItemCommand(request)))
        open = answer.UnprocessedItems?.[name] ?? []
        if (open.length > 0) await this.#pause(tries, table)
      }
    })
  }

  /** Writes all or nothing. `refused` has, for each write whose condition did not hold, the item that stood against it. */
  async transact(
    writes: readonly Write[],
  ): Promise<{ done: true } | { done: false; refused: (Written | undefined)[] }> {
    if (writes.length > transactionItems) throw new Error(`a transaction of ${writes.length} writes`)
    const items = writes.map((write) => this.#transactItem(write))
    for (let tries = 0; ; tries++) {
      try {
        await asking('a transaction', () => this.#client.send(new TransactWriteItemsCommand({ TransactItems: items })))
        return { done: true }
      } catch (error) {
        const cancelled = error instanceof TransactionCanceledException ? error : undefined
        const reasons = cancelled?.CancellationReasons ?? []
        if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
          const refused = reasons.map(({ Code, Item }) =>
            Code === 'ConditionalCheckFailed' ? { done: false, old: Item } : undefined,
          )
          return { done: false, refused }
        }
        // What DynamoDB finds wrong with an item, such as its size, no other try mends.
        if (reasons.some(({ Code }) => lasting.has(Code ?? ''))) throw error
        if (cancelled === undefined && !(error instanceof BrineError && error.code === 'busy')) throw error
        await this.#pause(tries, reasons.map(({ Code }) => Code).join(', ') || 'a transaction')
      }
    }
  }

  /** The items of a partition, in the order of their sort keys, page after page. */
  async *query(table: TableName, pk: string, range: Range = {}): AsyncGenerator<Attributes[]> {
    let start: Attributes | undefined
    let left = range.limit ?? Number.POSITIVE_INFINITY
    do {
      const command = new QueryCommand({
        TableName: this.#tables[table],
        ...rangeOf(pk, range),
        ConsistentRead: true,
        ScanIndexForward: range.reverse !== true,
        ...(Number.isFinite(left) ? { Limit: left } : {}),
        ...(range.page === undefined ? {} : { Limit: range.page }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      })
      const page = await asking(`a read of ${table}`, () => this.#client.send(command))
      const items = page.Items ?? []
      left -= items.length
      start = page.LastEvaluatedKey
      if (items.length > 0) yield items
    } while (start !== undefined && left > 0)
  }

  /** All items of a part of a partition. */
  async all(table: TableName, pk: string, range: Range = {}): Promise<Attributes[]> {
    const items: Attributes[] = []
    for await (const page of this.query(table, pk, range)) items.push(...page)
    return items
  }

  /** All items of several partitions, which are read side by side. */
  async allOf(table: TableName, partitions: readonly string[], range: Range = {}): Promise<Attributes[]> {
    return (await inParallel(partitions, (pk) => this.all(table, pk, range))).flat()
  }

  #transactItem(write: Write): TransactWriteItem {
    const TableName = this.#tables[write.table]
    switch (write.kind) {
      case 'put':
        return { Put: { TableName, Item: write.item, ...conditionOf(write.if) } }
      case 'delete':
        return { Delete: { TableName, Key: keyItem(write.key), ...conditionOf(write.if) } }
      case 'update':
        return {
          Update: {
            TableName,
            Key: keyItem(write.key),
            UpdateExpression: write.set,
            ...expressionOf({
              text: '',
              values: write.values,
              ...(write.names === undefined ? {} : { names: write.names }),
            }),
            ...(write.if === undefined
              ? {}
              : { ConditionExpression: write.if, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
          },
        }
    }
  }

  async #conditional(what: string, work: () => Promise<Attributes | undefined>): Promise<Written> {
    for (let tries = 0; ; tries++) {
      try {
        return { done: true, old: await work() }
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return { done: false, old: error.Item }
        // A transaction holds the item for a moment.
        if (awsErrorName(error) === 'TransactionConflictException') await this.#pause(tries, what)
        else await asking(what, () => Promise.reject(error))
      }
    }
  }

  async #pause(tries: number, what: string): Promise<void> {
    if (tries >= CONFLICT_TRIES) {
      throw new BrineError(
        `DynamoDB refused ${what} ${tries} times in a row; others write the same. It is tried again later.`,
        {
          code: 'busy',
        },
      )
    }
    const most = CONFLICT_PAUSE * 2 ** Math.min(tries, 5)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * most))
  }
}

function conditionOf(condition: Expression | undefined) {
  if (condition === undefined) return {}
  return {
    ConditionExpression: condition.text,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...expressionOf(condition),
  }
}

function expressionOf({ names, values }: Expression) {
  return {
    ...(names === undefined ? {} : { ExpressionAttributeNames: { ...names } }),
    ...(values === undefined || Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: { ...values } }),
  }
}

function rangeOf(pk: string, { from, to, after, beginning }: Range) {
  const values: Record<string, AttributeValue> = { ':pk': s(pk) }
  let condition = 'pk = :pk'
  const add = (text: string, name: string, value: string): void => {
    condition += ` AND ${text}`
    values[name] = s(value)
  }
  if (beginning !== undefined) add('begins_with(sk, :beginning)', ':beginning', beginning)
  else if (from !== undefined && to !== undefined) {
    add('sk BETWEEN :from AND :to', ':from', from)
    values[':to'] = s(to)
  } else if (from !== undefined) add('sk >= :from', ':from', from)
  else if (to !== undefined) add('sk <= :to', ':to', to)
  else if (after !== undefined) add('sk > :after', ':after', after)
  return { KeyConditionExpression: condition, ExpressionAttributeValues: values }
}
