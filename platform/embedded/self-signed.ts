// A certificate that vouches for itself.
import { isIP } from 'node:net'
import { generate } from 'selfsigned'

/** A new pair (ECDSA P-256), PEM, for a server of those names and addresses, between two times in milliseconds. */
export async function makeCertificate(
  names: readonly string[],
  from: number,
  until: number,
): Promise<{ cert: string; key: string }> {
  const made = await generate([{ name: 'commonName', value: 'brine-master' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(from),
    notAfterDate: new Date(until),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) > 0 ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}
