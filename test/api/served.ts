// The embedded master in this process, served on a free port: for what needs real sockets and no minion.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { readExternalAuth } from '../../master/acl/index.ts'
import { type ApiSettings, defaultApiSettings } from '../../master/api/salt/index.ts'
import { defaultMasterOptions } from '../../master/options.ts'
import { type EmbeddedMaster, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { clients } from './stage.ts'

/** A served master. */
export interface Served {
  readonly embedded: EmbeddedMaster
  readonly root: string
  /** `http://127.0.0.1:…`. */
  readonly url: string
  /** What it logged. */
  readonly logged: readonly string[]
  /** The token of a session of `admin`, who may do everything. */
  logIn(): Promise<string>
  ask(path: string, init?: RequestInit & { readonly token?: string }): Promise<Response>
  close(): Promise<void>
}

/** Starts one over plain HTTP. */
export async function serve(settings: Partial<ApiSettings> = {}): Promise<Served> {
  const root = mkdtempSync(join(tmpdir(), 'brine-served-'))
  // A worker thread must not change the process's mask; the socket's folder keeps others out by itself.
  const mask = vi.spyOn(process, 'umask').mockReturnValue(0o022)
  const logged: string[] = []
  const note = (message: string): void => void logged.push(message)
  const embedded = await startEmbeddedMaster({
    master: { ...defaultMasterOptions, id: 'http://127.0.0.1', version: '0.0.0' },
    timeout: 2,
    host: '127.0.0.1',
    port: 0,
    dataDir: join(root, 'data'),
    pkiDir: join(root, 'pki'),
    sockDir: join(root, 'run'),
    places: { reactorRoot: root, fileRoots: {} },
    entries: [],
    runnerDirs: [],
    keepJobsSeconds: 3600,
    keepEventsSeconds: 3600,
    template: { opts: {}, grains: {}, pillar: {} },
    api: {
      ...defaultApiSettings,
      sharedsecret: 'secret',
      externalAuth: readExternalAuth({ sharedsecret: { admin: ['.*', '@runner', '@wheel', '@jobs'] } }),
      enabledClients: clients,
      ...settings,
    },
    log: { info: note, warn: note, error: note },
  })
  mask.mockRestore()
  const ask = (path: string, { token, headers, ...init }: RequestInit & { token?: string } = {}): Promise<Response> =>
    fetch(`${embedded.url}${path}`, {
      ...init,
      headers: { ...(token === undefined ? {} : { 'x-auth-token': token }), ...(headers as Record<string, string>) },
    })
  return {
    embedded,
    root,
    url: embedded.url,
    logged,
    ask,
    async logIn() {
      const body = new URLSearchParams({ username: 'admin', password: 'secret', eauth: 'sharedsecret' })
      return (await ask('/login', { method: 'POST', body })).headers.get('x-auth-token') ?? ''
    },
    async close() {
      await embedded.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
