// Who was there when presence was last looked at, for the functions that look next.
import { randomUUID } from 'node:crypto'
import type { PresenceLook, PresenceMemory } from '../../../master/presence.ts'
import type { Clock } from '../../../reaction/ports.ts'
import { presenceKey } from '../layout/index.ts'
import { type Dynamo, isAbsent, keyItem, s } from './dynamo.ts'
import type { Records } from './records.ts'

/** Table State: `presence` → {present, revision}. INVARIANT: a look is kept only over the one that was read. */
export class DynamoPresenceMemory implements PresenceMemory {
  readonly #dynamo: Dynamo
  readonly #records: Records
  readonly #clock: Pick<Clock, 'jid'>

  constructor(dynamo: Dynamo, records: Records, clock: Pick<Clock, 'jid'>) {
    this.#dynamo = dynamo
    this.#records = records
    this.#clock = clock
  }

  async last(): Promise<PresenceLook | undefined> {
    const item = await this.#dynamo.get('State', presenceKey)
    if (item === undefined) return undefined
    const { present } = await this.#records.unpack<{ present: string[] }>(item)
    return { present: new Set(present), revision: item.revision?.S ?? '' }
  }

  async keep(present: PresenceLook['present'], over: PresenceLook | undefined): Promise<boolean> {
    const item = {
      ...keyItem(presenceKey),
      ...(await this.#records.pack({ present: [...present] })),
      revision: s(`${this.#clock.jid()}/${randomUUID()}`),
    }
    const condition =
      over?.revision === undefined ? isAbsent : { text: 'revision = :over', values: { ':over': s(over.revision) } }
    return (await this.#dynamo.put('State', item, condition)).done
  }
}
