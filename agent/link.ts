// Everything between an agent and its master, put together: transport, trust, token, requests.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMapping } from '../core/value/index.ts'
import { Connection } from './connection/connection.ts'
import { HttpClient, isLoopback } from './connection/http.ts'
import { Introduction } from './connection/introduction.ts'
import type { MasterClock } from './connection/master-clock.ts'
import { outgoing } from './connection/outgoing.ts'
import { type HttpProxy, proxyOf } from './connection/proxy.ts'
import type { ServerTrust } from './connection/secure-agent.ts'
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
  /** Wants to be told the grains. */
  readonly introduction: Introduction
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
  const trusted = { ...(await trustOf(settings)), proxy: proxyToMaster(settings) }
  const http = new HttpClient(bootstrap, { version: brineVersion, trust: trusted })
  const trust = new MasterTrust(config.pki_dir, config.master_finger)
  const instanceProof = createInstanceProof({
    when: config.ec2_identity,
    webIdentity: config.ec2_web_identity,
    audience,
    finger: keys.finger,
    environment: process.env,
    fetch: outgoing(settings.opts),
    outside,
  })
  const introduction = new Introduction(config.autosign_grains)
  const proof = async () => ({ ...(await instanceProof()), ...(await introduction.field()) })
  const session = new Session(
    { id, keys, http, clock, trust, audience, version: brineVersion, timeout: 15_000, proof },
    { wait: config.acceptance_wait_time, waitMax: config.acceptance_wait_time_max, slower: 6 },
    outside,
    signal,
  )
  return { http, clock, trust, session, introduction, connection: new Connection(session, http, clock, signal) }
}

/** The configured proxy. A master on this machine is asked straight: the proxy's own machine is another. */
function proxyToMaster({ opts }: AgentSettings): HttpProxy | undefined {
  const proxy = proxyOf(opts)
  return proxy && { ...proxy, passes: (host) => isLoopback(host) || proxy.passes(host) }
}

/**
 * Whose certificate is believed: the pinned one; of a master on this machine the one that lies beside the minion's keys, as
 * the master left it; else what the system's authorities vouch for, or those of `ssl: {ca_certs: FILE}`.
 */
async function trustOf({ config, opts, bootstrap }: AgentSettings): Promise<ServerTrust> {
  const { ssl = null } = opts
  const path = isMapping(ssl) ? ssl.ca_certs : undefined
  const host = new URL(bootstrap.origin).hostname
  const pin = {
    ...(config.master_tls_finger === '' ? {} : { finger: config.master_tls_finger }),
    ...(isLoopback(host) ? { certificateFile: join(dirname(config.pki_dir), 'master', 'tls.crt') } : {}),
  }
  return { pin: { host, ...pin }, ...(typeof path === 'string' ? { ca: await readFile(path, 'utf8') } : {}) }
}
