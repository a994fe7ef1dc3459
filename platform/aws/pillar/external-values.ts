// Parameters of SSM and secrets of Secrets Manager, for pillars.
import type { ExternalValues } from '../../../master/external-pillar.ts'
import { asking } from '../aws-error.ts'
import { type ClientOptions, clientConfig } from '../clients.ts'
import { secretReader } from '../store/secret.ts'

/** Milliseconds for which what was read is taken as it is: many minions may ask at the same time. */
const fresh = 30_000

/** Reads them with this function's rights; the SDK is loaded when it is first used. */
export function externalValues(options: ClientOptions): ExternalValues {
  const parameters = remembering((path) => readParameters(path, options))
  const secret = remembering((name) => secretReader(name, options)())
  return { parameters, secret }
}

async function readParameters(path: string, options: ClientOptions): Promise<ReadonlyMap<string, string>> {
  const { GetParametersByPathCommand, SSMClient } = await import('../sdk/ssm.ts')
  const client = new SSMClient(clientConfig(options))
  const found = new Map<string, string>()
  try {
    let next: string | undefined
    do {
      const more = next === undefined ? {} : { NextToken: next }
      const command = new GetParametersByPathCommand({ Path: path, Recursive: true, WithDecryption: true, ...more })
      const answer = await asking(`a read of the parameters below ${path}`, () => client.send(command))
      for (const { Name, Value } of answer.Parameters ?? [])
        if (Name !== undefined && Value !== undefined) found.set(Name, Value)
      next = answer.NextToken
    } while (next !== undefined)
  } finally {
    client.destroy()
  }
  return found
}

/** Asks once for all who ask within a while; a failure is not remembered. */
function remembering<T>(read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, { readonly at: number; readonly value: Promise<T> }>()
  return (name) => {
    const there = known.get(name)
    if (there !== undefined && Date.now() - there.at < fresh) return there.value
    const value = read(name)
    known.set(name, { at: Date.now(), value })
    value.catch(() => known.delete(name))
    return value
  }
}
