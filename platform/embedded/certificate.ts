// The master's certificate: the one configured, or one of its own, made when it first starts and kept beside its keys.
import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { BrineError, messageOf } from '../../core/error.ts'

/** Where the certificate comes from. `none` is plain HTTP, which is for loopback alone. */
export type CertificateSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'own' }
  | { readonly kind: 'files'; readonly crt: string; readonly key: string; readonly chain?: string }

/** A certificate to serve with. */
export interface Certificate {
  /** PEM, with those between it and the authority. */
  readonly cert: string
  readonly key: string
  /** SHA-256 of it, hexadecimal with colons: what agents pin as `master_tls_finger`. */
  readonly fingerprint: string
  /** It was made now. */
  readonly isNew: boolean
}

/** The names of the master's own pair in `pki_dir`. The agent of the same machine reads the certificate there. */
export const ownCertificate = { crt: 'tls.crt', key: 'tls.key' } as const

/** Ten years: agents pin it, so that an end of it is an end of theirs. Milliseconds. */
const life = 3650 * 86_400_000
/** A pair that ends sooner is made anew, milliseconds. */
const nearEnd = 30 * 86_400_000

/** A certificate is good from so long ago on, for agents whose clocks are behind. Milliseconds. */
const clockDrift = 3_600_000

interface CertificateNeeds {
  readonly source: CertificateSource
  readonly pkiDir: string
  /** The address served at. */
  readonly host: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Reads or makes it; undefined for plain HTTP. Throws for plain HTTP beyond this machine and for files that do not read. */
export async function loadCertificate({
  source,
  pkiDir,
  host,
  now,
}: CertificateNeeds): Promise<Certificate | undefined> {
  switch (source.kind) {
    case 'none':
      if (isLoopback(host)) return undefined
      throw new BrineError(
        `rest_cherrypy: disable_ssl is set and the master would listen on ${host}. Plain HTTP is for loopback alone: take disable_ssl out, or listen on 127.0.0.1.`,
        { code: 'insecure' },
      )
    case 'files':
      return ofFiles(source)
    case 'own':
      return (await kept(pkiDir, now)) ?? made(pkiDir, host, now)
  }
}

async function ofFiles(source: { crt: string; key: string; chain?: string }): Promise<Certificate> {
  const read = async (path: string, name: string): Promise<string> => {
    try {
      return await readFile(path, 'utf8')
    } catch (error) {
      throw new BrineError(`rest_cherrypy: ${name} ${path} cannot be read: ${messageOf(error)}`, {
        code: 'config',
        cause: error,
      })
    }
  }
  const cert = await read(source.crt, 'ssl_crt')
  const key = await read(source.key, 'ssl_key')
  const chain = source.chain === undefined ? '' : await read(source.chain, 'ssl_chain')
  return { cert: `${cert.trimEnd()}\n${chain}`, key, fingerprint: fingerprintOf(cert, source.crt), isNew: false }
}

async function kept(pkiDir: string, now: number): Promise<Certificate | undefined> {
  try {
    const cert = await readFile(join(pkiDir, ownCertificate.crt), 'utf8')
    const key = await readFile(join(pkiDir, ownCertificate.key), 'utf8')
    if (Date.parse(new X509Certificate(cert).validTo) < now + nearEnd) return undefined
    return { cert, key, fingerprint: fingerprintOf(cert, join(pkiDir, ownCertificate.crt)), isNew: false }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function made(pkiDir: string, host: string, now: number): Promise<Certificate> {
  // Loaded when it is used, which is once in ten years.
  const { makeCertificate } = await import('./self-signed.ts')
  const names = new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    ...(/^(0\.0\.0\.0|::)$/.test(host) ? [] : [host]),
  ])
  const { cert, key } = await makeCertificate([...names], now - clockDrift, now + life)
  await mkdir(pkiDir, { recursive: true, mode: 0o700 })
  await write(join(pkiDir, ownCertificate.key), key, 0o600)
  await write(join(pkiDir, ownCertificate.crt), cert, 0o644)
  return { cert, key, fingerprint: fingerprintOf(cert, 'the new one'), isNew: true }
}

/** All of it or nothing. */
async function write(path: string, text: string, mode: number): Promise<void> {
  await writeFile(`${path}.new`, text, { mode })
  await rename(`${path}.new`, path)
}

function fingerprintOf(pem: string, path: string): string {
  try {
    return new X509Certificate(pem).fingerprint256
  } catch (error) {
    throw new BrineError(`rest_cherrypy: ssl_crt ${path} holds no certificate: ${messageOf(error)}`, {
      code: 'config',
      cause: error,
    })
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}
