// A master over a real store in a temporary folder, for tests of its use cases.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { Event } from '../../core/event/event.ts'
import type { TokenRequest } from '../../core/protocol/index.ts'
import { createMaster, type Master } from '../../master/master.ts'
import { defaultMasterOptions, type MasterOptions } from '../../master/options.ts'
import type { ReceptionExtras } from '../../master/reception.ts'
import { type EmbeddedStore, openEmbeddedStore } from '../../platform/embedded/store/index.ts'

export const masterId = 'http://127.0.0.1:8000'

/** A master, its store, and what it fired so far. */
export interface TestMaster {
  readonly master: Master
  readonly store: EmbeddedStore
  /** Every event since the start, oldest first. */
  events(): Promise<Event[]>
  close(): Promise<void>
}

/** Starts one; nothing listens and no reactor runs. */
export async function testMaster(
  options: Partial<MasterOptions> = {},
  checks: ReceptionExtras = {},
): Promise<TestMaster> {
  const folder = mkdtempSync(join(tmpdir(), 'brine-master-'))
  const store = await openEmbeddedStore({
    dataDir: join(folder, 'data'),
    pkiDir: join(folder, 'pki'),
    fileRoots: {},
    keepJobsSeconds: 3600,
    keepEventsSeconds: 3600,
    entries: [],
    loadReactors: (entries) => ({ version: String(entries.length), entries, files: [] }),
  })
  const master = createMaster(
    store,
    { ...defaultMasterOptions, id: masterId, version: '0.0.0', ...options },
    { timeout: 1, ...checks },
  )
  return {
    master,
    store,
    events: async () => (await store.log.read('oldest', 10_000)).events.map(({ event }) => event),
    close: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A minion's side: its key, and requests proven with it. */
export interface TestMinion {
  readonly id: string
  readonly pub: string
  request(claims?: {
    audience?: string
    expiresIn?: number
    jti?: string
    issuer?: string
    signWith?: KeyObject
  }): Promise<TokenRequest>
}

export function testMinion(id: string): TestMinion {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pub = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  return {
    id,
    pub,
    async request({
      audience = masterId,
      expiresIn = 30,
      jti = randomUUID(),
      issuer = id,
      signWith = privateKey,
    } = {}) {
      const now = Math.floor(Date.now() / 1000)
      const assertion = await new SignJWT({ jti })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer(issuer)
        .setSubject(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + expiresIn)
        .sign(signWith)
      return { id, pub, assertion }
    },
  }
}
