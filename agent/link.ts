// Everything between an agent and its master, put together: transport, trust, token, requests.
import { readFile } from 'node:fs/promises'
import { isMapping } from '../core/value/index.ts'
import { Connection } from './connection/connection.ts'
import { HttpClient } from './connection/http.ts'
import type { MasterClock } from './connection/master-clock.ts'
import { Session } from './connection/session.ts'
import { MasterTrust } from './connection/trust.ts'
import { createInstanceProof } from './ec2/instance-proof.ts'
import type { KeyPair } from './keys.ts'
import type { Outside } from './outside.ts'
import type { AgentSettings } from './settings.ts'
import { brineVersion } from './version.ts'

/** The parts of a link, for who drives them. */
export interface Link {
  readonly http: HttpClient
  readonly clock: MasterClock
  readonly trust: MasterTrust
  readonly session: Session
  readonly connection: Connection
  readonly ca: string | undefined
}

/** What a link is made of. */
interface LinkParts {
  readonly settings: AgentSettings
  readonly keys: KeyPair
  readonly clock: MasterClock
  readonly outside: Outside
  readonly signal: AbortSignal
}

/** Puts them together; nothing is asked yet. */
export async function createLink({ settings, keys, clock, outside, signal }: LinkParts): Promise<Link> {
  const { config, id, bootstrap, audience } = settings
  const ca = await certificates(settings)
  const http = new HttpClient(bootstrap, { version: brineVersion, ...(ca === undefined ? {} : { ca }) })
  const trust = new MasterTrust(config.pki_dir, config.master_finger)
  const instanceProof = createInstanceProof({
    when: config.ec2_identity,
    webIdentity: config.ec2_web_identity,
    audience,
    finger: keys.finger,
    environment: process.env,
    outside,
  })
  const session = new Session(
    { id, keys, http, clock, trust, audience, version: brineVersion, timeout: 15_000, instanceProof },
    { wait: config.acceptance_wait_time, waitMax: config.acceptance_wait_time_max, slower: 6 },
    outside,
    signal,
  )
  return { http, clock, trust, session, connection: new Connection(session, http, clock, signal), ca }
}

/** `ssl: {ca_certs: FILE}`: certificates to trust instead of the system's. */
async function certificates(settings: AgentSettings): Promise<string | undefined> {
  const { ssl = null } = settings.opts
  const path = isMapping(ssl) ? ssl.ca_certs : undefined
  return typeof path === 'string' ? readFile(path, 'utf8') : undefined
}
