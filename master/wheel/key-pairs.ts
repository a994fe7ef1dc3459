// The functions of the `key` wheel that make key pairs. A private key is told to who asked, and never on the bus.
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { minionIdProblem } from '../../core/protocol/minion-id.ts'
import { isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Keys } from '../keys.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { wheelDoc } from './wheel-doc.ts'

const shortest = 2048
/** Making a longer one would keep a processor busy for minutes. */
const longest = 8192

const size = { name: 'keysize', default: shortest }

/** `key.gen`, `gen_accept`, and those of Salt's that have no place here. */
export function keyPairs(keys: Keys): Record<string, MasterFunction> {
  return {
    'key.gen': {
      signature: { params: [{ name: 'id_', default: null }, size] },
      doc: wheelDoc(
        `Make an RSA key pair and return it; the master keeps nothing of it. keysize is ${shortest} at least. The private
    key is not among what the run's event tells`,
        'key.gen web1 keysize=3072',
      ),
      told: withoutPrivate,
      run: async ({ named }) => {
        idOf(named.id_ ?? null, true)
        return madePair(named.keysize)
      },
    },
    'key.gen_accept': {
      signature: { params: [{ name: 'id_' }, size, { name: 'force', default: false }] },
      doc: wheelDoc(
        `Make an RSA key pair for a minion, accept its public half, and return both. A minion that has a key keeps it, and
    nothing is returned, unless force is True`,
        'key.gen_accept web1',
      ),
      told: withoutPrivate,
      async run({ named }, { user }) {
        const id = idOf(named.id_ ?? null, false)
        const pair = await madePair(named.keysize)
        const force = pythonTruth(named.force ?? false)
        return (await keys.preseed(id, pythonStr(pair.pub ?? ''), force, user)) ? pair : {}
      },
    },
    'key.gen_keys': refused(
      'gen_keys',
      'writes a key pair into a folder of the master. Use wheel key.gen, which returns it, or `brine-key --gen-keys=NAME`.',
    ),
    'key.gen_signature': refused(
      'gen_signature',
      'signs the master’s key for minions that verify it. Brine’s minions pin the key itself: set master_finger (wheel key.finger_master).',
    ),
  }
}

function refused(name: string, why: string): MasterFunction {
  return {
    signature: { params: [], varArgs: true, varKwargs: true },
    doc: wheelDoc(`Refused: it ${why}`, `key.${name}`),
    async run() {
      throw new RunError(`key.${name} ${why}`)
    },
  }
}

function idOf(value: Value, isOptional: boolean): string {
  if (value === null && isOptional) return ''
  const id = pythonStr(value)
  const problem = minionIdProblem(id)
  if (problem === undefined) return id
  throw new RunError(`${JSON.stringify(id)} cannot be a minion's id: it ${problem}.`)
}

async function madePair(keysize: Value | undefined): Promise<Mapping> {
  const asked = Number(pythonStr(keysize ?? shortest))
  if (!Number.isInteger(asked) || asked > longest)
    throw new RunError(`keysize=${pythonStr(keysize ?? null)} is no number of bits up to ${longest}.`)
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: Math.max(shortest, asked),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return { priv: privateKey, pub: publicKey }
}

function withoutPrivate(returned: Value): Value {
  return isMapping(returned) && 'priv' in returned ? { ...returned, priv: '***' } : returned
}
