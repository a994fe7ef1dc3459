// AWS's public certificates for identity documents, by region, and those a configuration adds.
import { createPublicKey } from 'node:crypto'
import { BrineError, messageOf } from '../../core/error.ts'
import short from './region-certificates.json' with { type: 'json' }
import long from './region-certificates-2048.json' with { type: 'json' }

/**
 * The certificates (PEM) by region: AWS's for both forms of a signature, as its documentation lists them, and `more` beside them. AWS renews a
 * certificate with the same key, so one that has run out still says which key is right. Throws for an added one that
 * holds no key.
 */
export function regionCertificates(
  more: Readonly<Record<string, string | readonly string[]>> = {},
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { regions, der } of [...long.certificates, ...short.certificates])
    for (const region of regions) found.set(region, [...(found.get(region) ?? []), pemOf(der)])
  for (const [region, added] of Object.entries(more)) {
    const pems = typeof added === 'string' ? [added] : added
    for (const pem of pems) requireKey(region, pem)
    found.set(region, [...(found.get(region) ?? []), ...pems])
  }
  return found
}

function pemOf(der: string): string {
  return `-----BEGIN CERTIFICATE-----\n${(der.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
}

function requireKey(region: string, pem: string): void {
  try {
    createPublicKey(pem)
  } catch (error) {
    throw new BrineError(
      `identityCertificates has for ${region} what is no certificate (${messageOf(error)}). Give it in PEM, as AWS's documentation shows it.`,
      { code: 'config', cause: error },
    )
  }
}
