// What `cloud.*` of an embedded master works with: its store, its keys, and what its program gives it.
import { createHash } from 'node:crypto'
import type { CloudConfig } from '../../core/cloud/index.ts'
import type { CloudOutside, Machines } from '../../master/cloud/index.ts'
import { fingerOf } from '../../master/keys.ts'
import type { MasterOptions } from '../../master/options.ts'
import { readText } from './read-text.ts'
import type { EmbeddedStore } from './store/index.ts'

/** What the program gives. */
export interface CloudsOptions {
  readonly machines: Machines
  /** The configuration as it is now; throws what is wrong with it. */
  readonly config: () => Promise<CloudConfig>
  /** The agent as one file, and its systemd unit; undefined where they are not there. */
  readonly agent: () => Promise<Uint8Array | undefined>
  readonly unit: () => Promise<string | undefined>
  /** What minions have as `master` where their settings name none. */
  readonly url: string
  /** Certificates (PEM) by region that sign identity documents, beside AWS's own. */
  readonly certificates: Readonly<Record<string, readonly string[]>>
}

interface CloudsNeeds {
  readonly store: EmbeddedStore
  readonly options: MasterOptions
  /** Of a certificate that no authority vouches for. */
  readonly ownFingerprint: string | undefined
  readonly warn: (message: string) => void
}

/** Joins them. */
export function openClouds(
  { machines, config, agent, unit, url }: CloudsOptions,
  { store, options, ownFingerprint, warn }: CloudsNeeds,
): CloudOutside {
  return {
    machines,
    config,
    store: store.clouds,
    tags: {},
    warn,
    readText,
    async agent() {
      const [bytes, text] = await Promise.all([agent(), unit()])
      if (bytes === undefined || text === undefined) return undefined
      return { hash: createHash('sha256').update(bytes).digest('hex'), unit: text }
    },
    async master() {
      const finger = fingerOf(await store.signer.publicKey())
      return { url, id: options.id, finger, ...(ownFingerprint === undefined ? {} : { tlsFinger: ownFingerprint }) }
    },
  }
}
