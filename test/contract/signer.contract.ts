// What every signer must do.
import { createPublicKey, verify } from 'node:crypto'
import { compactVerify, importSPKI } from 'jose'
import { expect } from 'vitest'
import type { Signer } from '../../master/ports.ts'
import { type Cases, describeContract, type MakeSubject, type Skips } from './contract.ts'

const cases: Cases<Signer> = {
  'signs what its public key verifies': async ({ port: signer }) => {
    const payload = JSON.stringify({ jid: '20261121100000000000', text: 'ü→😀' })
    const jws = await signer.sign(payload)
    const key = await importSPKI(await signer.publicKey(), 'EdDSA')
    const { payload: bytes, protectedHeader } = await compactVerify(jws, key)
    expect([new TextDecoder().decode(bytes), protectedHeader.alg]).toEqual([payload, 'EdDSA'])
  },

  'signs nothing else along': async ({ port: signer }) => {
    const [header, , signature] = (await signer.sign('{"a":1}')).split('.')
    const forged = Buffer.from(`${header}.${Buffer.from('{"a":2}').toString('base64url')}`)
    const key = createPublicKey(await signer.publicKey())
    expect(verify(null, forged, key, Buffer.from(signature ?? '', 'base64url'))).toBe(false)
  },

  'keeps its key': async ({ port, reopen }) => {
    const pem = await port.publicKey()
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
    const signer = await reopen()
    expect(await signer.publicKey()).toBe(pem)
  },
}

/** The contract of {@link Signer}. */
export function describeSignerContract(adapter: string, make: MakeSubject<Signer>, skips?: Skips): void {
  describeContract<Signer>('Signer', adapter, cases, make, skips)
}
