// Documents in the CMS form: made by `openssl smime -sign -nodetach -nocerts`, which is also what AWS has people read EC2's with.
import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSealedBy } from './sealed.ts'
import { isVouchedFor } from './signature.ts'

const document =
  '{"accountId":"123456789012","region":"eu-west-1","instanceId":"i-0123456789abcdef0","pendingTime":"2026-01-01T00:00:00Z","imageId":"ami-1","instanceType":"t4g.nano"}'

/** The key that signed them. */
const spki = [
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvJEKedz+rRf+jNQsGLJkp+xFp4lhTvG3WwKLvBbfoA4kR9RCZk63/0U6u8yl/c3jJeSm',
  '36O1vQE5+vH3EoqKTCDOJU2Fs4QjALCPPQ97G5wTUUSJJXclrhO9dx4+R1Nl0ghPVvHbTrnrKRV1ZuE9NOmQIZHITfuMIncQiaoRWrPJsgncGdmX',
  'G2Hc7sd8e2BH6ux2PkSEnuA/FGGPfJDHG5wv0Q7Dmk6sCZNPdG52c2iCAZqiimidkbBHYwqnKCxNeyOtuOiMUo9Jhvvx5lPXdnjmtPvJvkbgu/g7',
  '/5K2bQyOwDX5pyfuySGaH3t97qL59nUhQUhKgp0t6UbsdeddXwIDAQAB',
].join('')
const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`

const sealed = [
  'MIIDIwYJKoZIhvcNAQcCoIIDFDCCAxACAQExDzANBglghkgBZQMEAgEFADCBtgYJKoZIhvcNAQcBoIGoBIGleyJhY2NvdW50SWQiOiIxMjM0NTY3',
  'ODkwMTIiLCJyZWdpb24iOiJldS13ZXN0LTEiLCJpbnN0YW5jZUlkIjoiaS0wMTIzNDU2Nzg5YWJjZGVmMCIsInBlbmRpbmdUaW1lIjoiMjAyNi0w',
  'MS0wMVQwMDowMDowMFoiLCJpbWFnZUlkIjoiYW1pLTEiLCJpbnN0YW5jZVR5cGUiOiJ0NGcubmFubyJ9MYICPzCCAjsCAQEwLTAVMRMwEQYDVQQD',
  'DApicmluZSB0ZXN0AhRyqeD+3ljzlPuscS0W0tl7XAhRgzANBglghkgBZQMEAgEFAKCB5DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqG',
  'SIb3DQEJBTEPFw0yNjExMjExNjQxMzBaMC8GCSqGSIb3DQEJBDEiBCCMYefQfjdLrwWRY9EWLm9REL3mLafb3tfDi24hTLaAFDB5BgkqhkiG9w0B',
  'CQ8xbDBqMAsGCWCGSAFlAwQBKjALBglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4GCCqGSIb3DQMCAgIAgDANBggqhkiG9w0D',
  'AgIBQDAHBgUrDgMCBzANBggqhkiG9w0DAgIBKDANBgkqhkiG9w0BAQEFAASCAQBUF9bioHnmFNHoU/Xwi5n5Kg4lJoGaHJQsgNJgJ6gqeh952/JG',
  'JY4vPcTbaglyaUB2FfJd40OFgYqdaF0zt0RObIAOdGyREAp6O3utRA5qFfWpqMOVHBe0KpWM3BlCzbOqyHulL4JQH8l7/288xfIVJLSn9cHyPaQo',
  'DxGZ1rSnEN8asBErBTTvlFoDNsC8pwowjlk5T30Zt9Ohu+RdEhViA6HsZ9GpSHuaaivygNmCSvBNddU4RUfR0IT9jUALnhYHaUoxZd/tuL2Uhg+3',
  'Nfhz6Yf1q7ppXEHWNr7lhwBQhRRC210DcMrbBatT//mn4pxxPmblBn1f+Uojwii6RBhC',
].join('')

/** The same without attributes: the signature is over the document itself. */
const bare = [
  'MIICPAYJKoZIhvcNAQcCoIICLTCCAikCAQExDzANBglghkgBZQMEAgEFADCBtgYJKoZIhvcNAQcBoIGoBIGleyJhY2NvdW50SWQiOiIxMjM0NTY3',
  'ODkwMTIiLCJyZWdpb24iOiJldS13ZXN0LTEiLCJpbnN0YW5jZUlkIjoiaS0wMTIzNDU2Nzg5YWJjZGVmMCIsInBlbmRpbmdUaW1lIjoiMjAyNi0w',
  'MS0wMVQwMDowMDowMFoiLCJpbWFnZUlkIjoiYW1pLTEiLCJpbnN0YW5jZVR5cGUiOiJ0NGcubmFubyJ9MYIBWDCCAVQCAQEwLTAVMRMwEQYDVQQD',
  'DApicmluZSB0ZXN0AhRyqeD+3ljzlPuscS0W0tl7XAhRgzANBglghkgBZQMEAgEFADANBgkqhkiG9w0BAQEFAASCAQByyATh3B3G3on3CKKH60RZ',
  'g0InielaJ2+tfR9nX9TbIaSI6vAOVFRCRr4fE0KKmV4W2hR578X2grmMjceKVbmV6oDM1Lm3WG0GjIyAAyxUwWCp8KLVm0n6OQcQqdzrlE7otV6B',
  'BLsXacXKCGv+lDRIpBkEt91SWMCjOv8YSXDUQzQj+MDPFaj+7CxhfGwdvBPdsExhNyW02zwRsF9D4d64pVQ1Deuqumpfxwx3kbdspTrX2QzcPeOu',
  'If/F2xkiL9ip0TVZfiRZyF1CPMbZ4K3i5APWT2FLPlUWz6TlsXr9C3YwDYU6c+jnzQ/TCwlrgoXxU2vZ0Fl76svffbaEcrN1',
].join('')

/** By the digest SHA-1. */
const weak = [
  'MIIDDwYJKoZIhvcNAQcCoIIDADCCAvwCAQExCzAJBgUrDgMCGgUAMIG2BgkqhkiG9w0BBwGggagEgaV7ImFjY291bnRJZCI6IjEyMzQ1Njc4OTAx',
  'MiIsInJlZ2lvbiI6ImV1LXdlc3QtMSIsImluc3RhbmNlSWQiOiJpLTAxMjM0NTY3ODlhYmNkZWYwIiwicGVuZGluZ1RpbWUiOiIyMDI2LTAxLTAx',
  'VDAwOjAwOjAwWiIsImltYWdlSWQiOiJhbWktMSIsImluc3RhbmNlVHlwZSI6InQ0Zy5uYW5vIn0xggIvMIICKwIBATAtMBUxEzARBgNVBAMMCmJy',
  'aW5lIHRlc3QCFHKp4P7eWPOU+6xxLRbS2XtcCFGDMAkGBSsOAwIaBQCggdgwGAYJKoZIhvcNAQkDMQsGCSqGSIb3DQEHATAcBgkqhkiG9w0BCQUx',
  'DxcNMjYxMTIxMTY0MTMwWjAjBgkqhkiG9w0BCQQxFgQU25gloKAKOM8y2L6Tvh24vhsvrFwweQYJKoZIhvcNAQkPMWwwajALBglghkgBZQMEASow',
  'CwYJYIZIAWUDBAEWMAsGCWCGSAFlAwQBAjAKBggqhkiG9w0DBzAOBggqhkiG9w0DAgICAIAwDQYIKoZIhvcNAwICAUAwBwYFKw4DAgcwDQYIKoZI',
  'hvcNAwICASgwDQYJKoZIhvcNAQEBBQAEggEAIIJhQF+D8QbRROEJfTXrGF4vDehqAP5YBcItkQJ7lJAPq4qRD8T3wrkQeuUPAvmQEedwhhyHvm1Z',
  'ewgIiSCPsHOAzqMOJzWW3ZRjM8CGQKHA2pgmiGiA+lG9YdACS41KXGC/kWY2lykRY1BWmQQ+1OeO4f6wDGdxNLEHPmvabn1Ki0wTmnp1zkprNpMI',
  'ZHyy7DaIcrprY3BwjdGClCn3e18L1bmtR+2IPNQNFywZxQkzYDUxgSdI1iQLdVmQRMPyF8Dje3djST6WWTWLat8bwdqt7m21u3ED2kehLFc5b7jp',
  '5sWcgojyta8VCe1fnJRC7UJAEAr1RzU/dtYlenTRiA==',
].join('')

const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherPem = other.publicKey.export({ type: 'spki', format: 'pem' }).toString()

describe('a document in the CMS form', () => {
  it.each([
    ['with attributes', sealed],
    ['without attributes', bare],
    ['in lines, as the metadata service has it', sealed.replace(/.{64}/g, '$&\n')],
    ['between the lines of PEM', `-----BEGIN PKCS7-----\n${sealed}\n-----END PKCS7-----\n`],
  ])('is believed %s', (_, message) => {
    expect(isSealedBy(document, message, [otherPem, pem])).toBe(true)
  })

  it.each([
    ['another document', document.replace('1234', '4321'), sealed, pem],
    ['another key', document, sealed, otherPem],
    ['a weak digest', document, weak, pem],
    ['nothing', document, '', pem],
    ['what is no message', document, Buffer.from('x'.repeat(400)).toString('base64'), pem],
    ['half a message', document, sealed.slice(0, 600), pem],
  ])('is not believed with %s', (_, text, message, key) => {
    expect(isSealedBy(text, message, [key])).toBe(false)
  })

  it('is not believed where the document inside is another, whatever the instance says beside it', () => {
    const bytes = Buffer.from(sealed, 'base64')
    const at = bytes.indexOf('i-0123456789abcdef0')
    bytes.write('i-0000000000000000a', at)
    const altered = document.replace('i-0123456789abcdef0', 'i-0000000000000000a')
    expect(isSealedBy(altered, bytes.toString('base64'), [pem])).toBe(false)
  })

  it('never throws, and is believed with no altered content, digest or signature', () => {
    const bytes = Buffer.from(sealed, 'base64')
    const content = bytes.indexOf(document)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const altered = Buffer.from(bytes)
        altered[at] = (bytes[at] ?? 0) ^ flip
        const isBelieved = isSealedBy(document, altered.toString('base64'), [pem])
        const isSigned = (at >= content && at < content + document.length) || at >= bytes.length - 256
        if (isSigned) expect(isBelieved).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what an instance shows', () => {
  const base64 = sign('sha256', Buffer.from(document), other.privateKey).toString('base64')
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const shortPem = short.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const shortBase64 = sign('sha256', Buffer.from(document), short.privateKey).toString('base64')

  it('is judged by the CMS form alone where a key for it is known', async () => {
    const shown = { document, signature: 'none', rsa2048: sealed }
    expect(await isVouchedFor(shown, [shortPem, pem])).toBe(true)
    expect(await isVouchedFor({ ...shown, signature: base64 }, [otherPem])).toBe(false)
    expect(await isVouchedFor({ ...shown, signature: shortBase64, rsa2048: weak }, [shortPem, pem])).toBe(false)
  })

  it('is judged by the signature beside it where there is no such form, or no key for it', async () => {
    expect(await isVouchedFor({ document, signature: base64 }, [pem, otherPem])).toBe(true)
    expect(await isVouchedFor({ document, signature: shortBase64, rsa2048: weak }, [shortPem])).toBe(true)
  })
})
