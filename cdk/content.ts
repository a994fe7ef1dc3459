// What a deployment brings along: the reactor set, `salt://` and the pillar, packed into one asset.
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { Construct } from 'constructs'
import { cloudFilesIn } from '../core/cloud/files.ts'
import { readCloudConfig } from '../core/cloud/index.ts'
import { type IgnoresFile, ignoresNothing, problemText } from '../core/config/index.ts'
import { BrineError } from '../core/error.ts'
import manifest from '../package.json' with { type: 'json' }
import { agentFiles, autosignFolder, cloudFolder } from '../platform/aws/layout/index.ts'
import { checkReactors } from './reactors/check-reactors.ts'
import { libraryOf, listing, readReactors } from './reactors/read-reactors.ts'

/** The folders. */
export interface ContentFolders {
  readonly reactors: string
  readonly fileRoots: Readonly<Record<string, readonly string[]>>
  readonly pillarRoots: Readonly<Record<string, readonly string[]>>
  /** Files of `fileRoots` that stay here. */
  readonly ignoresFile: IgnoresFile
  /** The texts by which keys are accepted and rejected by themselves. */
  readonly autosign: ReadonlyMap<string, string>
  /** The configuration of clouds, and the agent that machines install. */
  readonly clouds?: { readonly folder: string; readonly agentFile: string }
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
    writeFileSync(path, packContent(libraryOf(set, folders), folders))
    this.asset = new Asset(this, 'Asset', { path })
  }
}

/** Paths of one saltenv, with their bytes in base64. */
type PackedTree = Record<string, string>

/** JSON that is the same for the same content. The pillar's files stand beside the others, under names no saltenv has. */
function packContent(
  library: ReturnType<typeof libraryOf>,
  { fileRoots, pillarRoots, ignoresFile, autosign, clouds }: ContentFolders,
): string {
  const pillar = Object.entries(packRoots(pillarRoots)).map(([env, tree]) => [`pillar:${env}`, tree] as const)
  const files = {
    ...packRoots(fileRoots, ignoresFile),
    ...Object.fromEntries(pillar),
    ...packTexts(autosign),
    ...packClouds(clouds),
  }
  // Another release makes another asset: its template may have reset the rules for entries added at run time.
  const packed = JSON.stringify({ version: manifest.version, library, files, modes: modesOf(fileRoots, ignoresFile) })
  if (packed.length > largestContent)
    throw new BrineError(
      `fileRoots and pillarRoots hold ${packed.length} bytes packed, more than ${largestContent}. Put large files into a bucket of their own.`,
      { code: 'content' },
    )
  return packed
}

/** Likewise under a name that no saltenv has. */
function packTexts(autosign: ContentFolders['autosign']): Record<string, PackedTree> {
  if (autosign.size === 0) return {}
  const packed = [...autosign].map(([path, text]) => [path, Buffer.from(text).toString('base64')] as const)
  return { [`${autosignFolder}base`]: Object.fromEntries(packed) }
}

/** Likewise. Throws `content` for a configuration that is not right, and without an agent. */
function packClouds(clouds: ContentFolders['clouds']): Record<string, PackedTree> {
  if (clouds === undefined) return {}
  const { base = {} } = packRoots({ base: [clouds.folder] })
  const texts = Object.entries(base).map(([path, text]) => [path, Buffer.from(text, 'base64').toString()] as const)
  const { providers, problems } = readCloudConfig(cloudFilesIn(new Map(texts)))
  const wrong = problems.filter(({ severity }) => severity === 'error').map(problemText)
  if (providers.size === 0) wrong.push(`${clouds.folder} has no provider: write cloud.providers.d/NAME.conf.`)
  if (!existsSync(clouds.agentFile)) wrong.push(`There is no ${clouds.agentFile}: npm run build makes it.`)
  if (wrong.length > 0) throw new BrineError(wrong.join('\n'), { code: 'content' })
  const unit = join(import.meta.dirname, '../packaging/brine-minion.service')
  const agent = { [agentFiles.program]: clouds.agentFile, [agentFiles.unit]: unit }
  const packed = Object.entries(agent).map(([path, file]) => [path, readFileSync(file).toString('base64')] as const)
  return { [`${cloudFolder}base`]: { ...base, ...Object.fromEntries(packed) } }
}

/** Earlier roots of a saltenv win, as in Salt. */
function packRoots(roots: Roots, ignores = ignoresNothing): Record<string, PackedTree> {
  return ofEachFile(roots, ignores, (source) => readFileSync(source).toString('base64'))
}

/** Modes as a version control keeps them, executable or not: who checks out with another umask deploys the same. */
function modesOf(roots: Roots, ignores: IgnoresFile): Record<string, Record<string, string>> {
  return ofEachFile(roots, ignores, (source) => ((statSync(source).mode & 0o100) === 0 ? '0644' : '0755'))
}

/** Folders by saltenv. */
type Roots = Readonly<Record<string, readonly string[]>>

/** What is said of each file, by saltenv and path. */
function ofEachFile(
  roots: Roots,
  ignores: IgnoresFile,
  tell: (source: string) => string,
): Record<string, Record<string, string>> {
  const trees = Object.entries(roots).map(([saltenv, folders]) => {
    const tree = sourcesOf(folders, ignores).map(([path, source]) => [path, tell(source)] as const)
    return [saltenv, Object.fromEntries(tree)] as const
  })
  return Object.fromEntries(trees)
}

/** Where each path of a saltenv is, sorted. */
function sourcesOf(folders: readonly string[], ignores: IgnoresFile): [path: string, source: string][] {
  const found = new Map<string, string>()
  for (const folder of [...folders].reverse())
    for (const path of listing(folder)) if (!ignores(folder, path)) found.set(path, join(folder, path))
  return [...found].sort()
}
