// Salt's `random` module: texts and numbers of chance, and choices that a seed makes the same everywhere.
import { createHash, getHashes, randomInt } from 'node:crypto'
import { MersenneTwister } from '../../../core/render/jinja/filters/mersenne-twister.ts'
import { hashedSeed, pickSample, textSeed } from '../../../core/render/jinja/filters/sample.ts'
import { isInteger, isList, pythonStr, type Value } from '../../../core/value/index.ts'
import type { Arguments } from '../arguments.ts'
import { PythonError, SaltInvocationError } from '../errors.ts'
import { define, type ExecutionModule, examples } from '../module.ts'

const lower = 'abcdefghijklmnopqrstuvwxyz'
const sets = {
  lowercase: lower,
  uppercase: lower.toUpperCase(),
  digits: '0123456789',
  punctuation: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  whitespace: ' \t\n\r\v\f',
} as const

function word(args: Arguments): string {
  const named = Object.entries(sets).filter(([name]) => args.is('printable') || args.is(name))
  const all = named.map(([, chars]) => chars).join('')
  const chars = args.is('printable') ? all : (args.textIfAny('chars') ?? all)
  if (chars === '') throw new SaltInvocationError('There are no characters to choose from.')
  return Array.from({ length: args.integer('length') }, () => chars[randomInt(chars.length)]).join('')
}

function hashed(args: Arguments): string {
  const algorithm = args.text('algorithm')
  if (!getHashes().includes(algorithm)) throw new SaltInvocationError('You must specify a valid algorithm.')
  return createHash(algorithm).update(args.text('value')).digest('hex')
}

/** A number below `limit`: the seed's, or one of chance. */
function drawer(seed: Value, make: (text: string) => bigint): (limit: number) => number {
  if (seed === null) return (limit) => randomInt(limit)
  const number = isInteger(seed) ? BigInt(Math.abs(Number(seed))) : make(pythonStr(seed))
  const twister = new MersenneTwister(number)
  return (limit) => twister.below(limit)
}

function sampled(args: Arguments, size: (count: number) => number): Value[] {
  const value = args.value('value')
  const items = isList(value) ? [...value] : typeof value === 'string' ? [...value] : []
  const wanted = size(items.length)
  if (wanted < 0 || wanted > items.length)
    throw new PythonError('ValueError', 'Sample larger than population or is negative')
  return pickSample(items, wanted, drawer(args.value('seed'), hashedSeed))
}

const seedDoc = `

seed
    The same seed gives the same.`

/** Salt's `random` module. */
export const random: ExecutionModule = {
  name: 'random',
  file: 'mod_random',
  functions: {
    get_str: define(
      'length=20, chars=None, lowercase=True, uppercase=True, digits=True, punctuation=True, whitespace=False, printable=False',
      `Return a text of chance, fit for a password.

chars
    The characters to choose from.
lowercase, uppercase, digits, punctuation, whitespace, printable
    Or the kinds of them.${examples("brine '*' random.get_str 128", "brine '*' random.get_str 16 punctuation=False")}`,
      word,
      { readOnly: true },
    ),
    hash: define(
      "value, algorithm='sha512'",
      `Return the digest of a text.${examples("brine '*' random.hash 'I am a string' md5")}`,
      hashed,
      { readOnly: true },
    ),
    str_encode: define(
      "value, encoder='base64'",
      `Return a text in base64.${examples("brine '*' random.str_encode 'I am a new string'")}`,
      (args) => {
        if (args.text('encoder') !== 'base64') throw new SaltInvocationError('Value must be an encode-able string')
        return Buffer.from(args.text('value')).toString('base64')
      },
      { readOnly: true },
    ),
    shadow_hash: define(
      "crypt_salt=None, password=None, algorithm='sha512'",
      `Return a password's hash for /etc/shadow; without a password that of one of chance.${examples("brine '*' random.shadow_hash 'My5alT' 'MyP@asswd' md5")}`,
      (args, call) => {
        const password = args.textIfAny('password') ?? Array.from({ length: 20 }, () => lower[randomInt(26)]).join('')
        const { crypt_salt, algorithm } = { ...args.given(['crypt_salt', 'algorithm']) }
        return call.salt('shadow.gen_password', [password], {
          ...(crypt_salt === undefined ? {} : { crypt_salt }),
          ...(algorithm === undefined ? {} : { algorithm }),
        })
      },
      { readOnly: true },
    ),
    rand_int: define(
      'start=1, end=10, seed=None',
      `Return a whole number from \`\`start\`\` to \`\`end\`\`.${seedDoc}${examples("brine '*' random.rand_int 1 10")}`,
      (args) => {
        const [start, end] = [args.integer('start'), args.integer('end')]
        if (end < start)
          throw new PythonError('ValueError', `empty range for randrange() (${start}, ${end + 1}, ${end + 1 - start})`)
        return start + drawer(args.value('seed'), textSeed)(end - start + 1)
      },
      { readOnly: true },
    ),
    seed: define(
      'range=10, hash=None',
      `Return a number below \`\`range\`\` that is always the same for this minion, to spread work over time.

hash
    For another text than the minion's id.${examples("brine '*' random.seed 10 hash=None")}`,
      (args, call) => {
        const text = args.value('hash') === null ? pythonStr(call.agent.grains.all().id ?? '') : args.value('hash')
        return drawer(text, textSeed)(args.integer('range'))
      },
      { readOnly: true },
    ),
    sample: define(
      'value, size, seed=None',
      `Return some items of a list, in the order of chance.${seedDoc}${examples("brine '*' random.sample '[\"one\", \"two\"]' 1 seed='something'")}`,
      (args) => sampled(args, () => args.integer('size')),
      { readOnly: true },
    ),
    shuffle: define(
      'value, seed=None',
      `Return a list in the order of chance.${seedDoc}${examples("brine '*' random.shuffle '[\"one\", \"two\"]' seed='something'")}`,
      (args) => sampled(args, (count) => count),
      { readOnly: true },
    ),
  },
}
