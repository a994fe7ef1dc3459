// What a deployment brings along: the reactor set, `salt://` and the pillar, packed into one asset.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { Construct } from 'constructs'
import { BrineError } from '../core/error.ts'
import { checkReactors } from './reactors/check-reactors.ts'
import { listing, readReactors, storedSet } from './reactors/read-reactors.ts'

/** The folders. */
export interface ContentFolders {
  readonly reactors: string
  readonly fileRoots: Readonly<Record<string, readonly string[]>>
  readonly pillarRoots: Readonly<Record<string, readonly string[]>>
}

/** Bytes of all files together; a function unpacks them in memory. */
const largestContent = 96 * 1024 * 1024

/** The asset, and the reactor globs the rules are made for. Throws at synth for a reactor set that is not right. */
export class Content extends Construct {
  readonly asset: Asset
  readonly globs: readonly string[]

  constructor(scope: Construct, id: string, folders: ContentFolders) {
    super(scope, id)
    const set = readReactors(folders)
    checkReactors(set)
    this.globs = set.entries.map(({ glob }) => glob)
    const folder = mkdtempSync(join(tmpdir(), 'brine-content-'))
    const path = join(folder, 'content.json')
    writeFileSync(path, packContent(storedSet(set), folders))
    this.asset = new Asset(this, 'Asset', { path })
  }
}

/** One file of a root; its bytes in base64. */
interface PackedFile {
  readonly saltenv: string
  readonly path: string
  readonly hash: string
  readonly size: number
  readonly bytes: string
}

/** JSON that is the same for the same content. */
function packContent(reactors: ReturnType<typeof storedSet>, { fileRoots, pillarRoots }: ContentFolders): string {
  const packed = JSON.stringify({ reactors, files: packRoots(fileRoots), pillar: packRoots(pillarRoots) })
  if (packed.length > largestContent)
    throw new BrineError(
      `fileRoots and pillarRoots hold ${packed.length} bytes packed, more than ${largestContent}. Put large files into a bucket of their own.`,
      { code: 'content' },
    )
  return packed
}

/** Earlier roots of a saltenv win, as in Salt. */
function packRoots(roots: Readonly<Record<string, readonly string[]>>): PackedFile[] {
  return Object.entries(roots).flatMap(([saltenv, folders]) => {
    const found = new Map<string, string>()
    for (const folder of [...folders].reverse()) for (const path of listing(folder)) found.set(path, join(folder, path))
    return [...found].sort().map(([path, source]): PackedFile => {
      const bytes = readFileSync(source)
      const hash = createHash('sha256').update(bytes).digest('hex')
      return { saltenv, path, hash, size: bytes.length, bytes: bytes.toString('base64') }
    })
  })
}
