// Salt's filters that hash and encode.
import { createHash, createHmac } from 'node:crypto'
import { Bytes } from '../bytes.ts'
import { type Datum, str, textOf, typeName } from '../datum.ts'
import { asIndex } from '../numbers.ts'
import { PythonError, typeError, valueError } from '../python-error.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter } from './define.ts'

const NAMESPACE = Buffer.from('91633ebf1c865e33935a28061f4b480e', 'hex')

function bytesOf(datum: Datum): Uint8Array {
  if (datum instanceof Bytes) return datum.bytes
  const text = textOf(datum)
  if (text !== undefined) return new TextEncoder().encode(text)
  defined(datum)
  throw typeError(`expected str, bytes, or bytearray not <class '${typeName(datum)}'>`)
}

function digest(name: string): NamedFilter {
  return filter(name, '', (input) => createHash(name).update(bytesOf(input)).digest('hex'))
}

function uuid5(input: Datum): string {
  const hash = createHash('sha1').update(NAMESPACE).update(bytesOf(input)).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function decodeBase64(input: Datum): Datum {
  const text = Buffer.from(bytesOf(input)).toString('latin1')
  const digits = text.replace(/[^A-Za-z0-9+/=]/g, '')
  const [body = ''] = digits.split('=')
  const padding = digits.length - body.length
  if (body.length % 4 === 1) {
    throw valueError(
      `Invalid base64-encoded string: number of data characters (${body.length}) cannot be 1 more than a multiple of 4`,
    )
  }
  if ((body.length + padding) % 4 !== 0 && (4 - (body.length % 4)) % 4 > padding) throw valueError('Incorrect padding')
  const bytes = new Uint8Array(Buffer.from(body, 'base64'))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new Bytes(bytes)
  }
}

function hashOf(name: string, text: string): string {
  if (!/^(md5|sha1|sha224|sha256|sha384|sha512|blake2b|blake2s|sha3_(224|256|384|512))$/.test(name)) {
    throw new PythonError('AttributeError', `module 'hashlib' has no attribute '${name}'`)
  }
  const known = name.replace('blake2b', 'blake2b512').replace('blake2s', 'blake2s256').replace('sha3_', 'sha3-')
  return createHash(known).update(text).digest('hex')
}

function randomHash(name: string): NamedFilter {
  return filter(name, 'hash_type?', (input, [type = null], run) => {
    const size = asIndex(input)
    if (size === undefined) {
      defined(input)
      throw typeError(`'${typeName(input)}' object cannot be interpreted as an integer`)
    }
    if (size < 0) throw valueError(`empty range for randrange() (0, ${size + 1}, ${size + 1})`)
    const number = Math.floor(run.random(name) * (size + 1))
    return hashOf(type === null || type === '' ? 'md5' : str(type), String(number))
  })
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The filters, by Salt's names. */
export const SALT_HASH_FILTERS: readonly NamedFilter[] = [
  digest('md5'),
  digest('sha1'),
  digest('sha256'),
  digest('sha512'),
  filter('hmac', 'shared_secret challenge_hmac', (input, [secret = '', challenge = '']) => {
    const expected = createHmac('sha256', bytesOf(secret)).update(bytesOf(input)).digest('base64')
    return expected === Buffer.from(bytesOf(challenge)).toString('latin1')
  }),
  filter('hmac_compute', 'shared_secret', (input, [secret = '']) =>
    createHmac('sha256', bytesOf(secret)).update(bytesOf(input)).digest('hex'),
  ),
  filter('base64_encode', '', (input) => Buffer.from(bytesOf(input)).toString('base64')),
  filter('base64_decode', '', (input) => decodeBase64(input)),
  filter('uuid', '', (input) => uuid5(input)),
  randomHash('random_hash'),
  randomHash('rand_str'),
  filter('random_str', '', (input, _, run) => {
    const size = asIndex(input)
    if (size === undefined) throw typeError(`'${typeName(input)}' object cannot be interpreted as an integer`)
    if (size < 0) throw valueError('negative argument not allowed')
    run.charge(size)
    const random = run.outside('random', 'random_str')
    return Array.from({ length: size }, () => BASE64[Math.floor(random() * 64)] ?? 'A').join('')
  }),
  filter('gen_mac', '', (input, _, run) => {
    const random = run.outside('random', 'gen_mac')
    const bytes = Array.from({ length: 3 }, () =>
      Math.floor(random() * 256)
        .toString(16)
        .toUpperCase()
        .padStart(2, '0'),
    )
    return [str(input), ...bytes].join(':')
  }),
]
