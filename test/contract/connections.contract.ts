// What every registry of connections must do.
import { expect } from 'vitest'
import type { Connections } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

/** Connections, and a way to connect: `ring` is called at each doorbell; the answer disconnects. */
export interface ConnectionPorts {
  readonly connections: Connections
  connect(minion: string, ring: () => void): Promise<() => Promise<void>>
}

const cases: Cases<ConnectionPorts> = {
  'knows who is connected': async ({ port: { connections, connect } }) => {
    expect(await connections.connected()).toEqual(new Set())
    const leave = await connect('web1', () => undefined)
    await connect('web2', () => undefined)
    expect(await connections.connected()).toEqual(new Set(['web1', 'web2']))
    await leave()
    expect(await connections.connected()).toEqual(new Set(['web2']))
  },

  'rings those it is told to': async ({ port: { connections, connect } }) => {
    const rung: string[] = []
    for (const id of ['web1', 'web2', 'web3']) await connect(id, () => rung.push(id))
    await connections.ring(['web1', 'web3', 'nobody'])
    await until(() => rung.length === 2)
    expect(rung.sort()).toEqual(['web1', 'web3'])
  },

  'keeps a minion that opens the new socket before it closes the old': async ({ port: { connections, connect } }) => {
    const rung: string[] = []
    const leave = await connect('web1', () => rung.push('old'))
    await connect('web1', () => rung.push('new'))
    await leave()
    await leave()
    expect(await connections.connected()).toEqual(new Set(['web1']))
    await connections.ring(['web1'])
    await until(() => rung.length === 1)
    expect(rung).toEqual(['new'])
  },
}

async function until(condition: () => boolean): Promise<void> {
  for (let wait = 0; wait < 3000 && !condition(); wait++) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The contract of {@link Connections}. */
export function describeConnectionsContract(adapter: string, make: MakeSubject<ConnectionPorts>, skips?: Skips): void {
  describeContract<ConnectionPorts>('Connections', adapter, cases, make, skips)
}
