// Which master this minion believes: the signing key it was told of, or the first it met.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BrineError } from '../../core/error.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { pemFinger } from '../keys.ts'

/**
 * Holds the master's signing key in `minion_master.pub`. With `master_finger` only that key is taken; without, the first
 * one met is kept and any other is an error (code `master-key`) that must stop the minion.
 */
export class MasterTrust {
  readonly #path: string
  readonly #finger: string
  #key: KeyObject | undefined
  #pem: string | undefined

  constructor(pkiDir: string, masterFinger: string) {
    this.#path = join(pkiDir, 'minion_master.pub')
    this.#finger = masterFinger.toLowerCase()
  }

  /** The pinned key; undefined before a master was met. */
  get key(): KeyObject | undefined {
    return this.#key
  }

  /** Salt's fingerprint of the pinned key, empty before a master was met. */
  get finger(): string {
    return this.#pem === undefined ? '' : pemFinger(this.#pem)
  }

  /** Checks the key a master shows, and pins it where none is. */
  async meet(pem: string): Promise<void> {
    if (this.#pem?.trim() === pem.trim()) return
    const seen = pemFinger(pem)
    if (this.#finger !== '' && seen !== this.#finger) {
      throw new BrineError(
        `The master's key has the fingerprint ${seen}, but master_finger is ${this.#finger}. ` +
          'Either this is not the right master, or its key was renewed: then set master_finger to the new one.',
        { code: 'master-key' },
      )
    }
    const pinned = await readTextIfThere(this.#path)
    if (pinned !== undefined && pemFinger(pinned) !== seen && this.#finger === '') {
      throw new BrineError(
        `The master shows a key with the fingerprint ${seen}, but the one pinned in ${this.#path} has ${pemFinger(pinned)}. ` +
          'Either somebody is in between, or the master was set up anew: then remove that file and start again.',
        { code: 'master-key' },
      )
    }
    this.#key = readPublic(pem)
    this.#pem = pem
    if (pinned === undefined || pemFinger(pinned) !== seen) await this.#pin(pem)
  }

  async #pin(pem: string): Promise<void> {
    await mkdir(join(this.#path, '..'), { recursive: true, mode: 0o700 })
    await writeFile(`${this.#path}.next`, `${pem.trim()}\n`, { mode: 0o644 })
    await rename(`${this.#path}.next`, this.#path)
  }
}

function readPublic(pem: string): KeyObject {
  try {
    return createPublicKey(pem)
  } catch (cause) {
    throw new BrineError('What the master shows as its key is none (PEM expected).', { code: 'master-key', cause })
  }
}
