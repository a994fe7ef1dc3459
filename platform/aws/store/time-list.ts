// Records in order of time, spread over a few partitions so that none is hot.
import { shardOf, timeKey, timePartitions } from '../layout/index.ts'
import { type Attributes, type Dynamo, keyItem } from './dynamo.ts'

/** A list of the layout that is in order of time. */
export type TimeListName = Parameters<typeof timePartitions>[0]

/** The item of a record at a time; `unique` keeps records of one moment apart. */
export function timeItem(list: TimeListName, at: number, unique: string): Attributes {
  const partitions = timePartitions(list)
  return keyItem({ pk: partitions[shardOf(unique, partitions.length)] ?? list, sk: timeKey(at, unique) })
}

/** The newest records, newest first, within times (both included). */
export async function newest(
  dynamo: Dynamo,
  table: 'State' | 'Jobs',
  list: TimeListName,
  { limit, since, until }: { readonly limit: number; readonly since?: number; readonly until?: number },
): Promise<Attributes[]> {
  const items = await dynamo.allOf(table, timePartitions(list), {
    reverse: true,
    limit,
    ...(since === undefined ? {} : { from: timeKey(since, '') }),
    ...(until === undefined ? {} : { to: timeKey(until, LAST) }),
  })
  return items.sort((a, b) => ((a.sk?.S ?? '') < (b.sk?.S ?? '') ? 1 : -1)).slice(0, limit)
}

/** Sorts after whatever keeps records of one moment apart. */
const LAST = '\uffff'
