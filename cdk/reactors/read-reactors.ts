// Reads a reactor set from the folder it is written in, as it will stand on AWS: under /srv/reactor and /srv/salt.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BrineError } from '../../core/error.ts'
import { loadYaml } from '../../core/render/yaml/index.ts'
import {
  expandFileGlob,
  parseReactorConfig,
  parseReference,
  type ReactorConfigProblem,
  type ReactorEntry,
} from '../../core/sls/index.ts'
import { get, isMap } from '../../core/value/index.ts'

/** Where a reactor set is on this machine. */
export interface ReactorFolders {
  /** Holds `reactor.conf`, the SLS files and their tests; stands for `/srv/reactor`. */
  readonly reactors: string
  /** `file_roots`: folders by saltenv, for `salt://` references; `base` stands for `/srv/salt`. */
  readonly fileRoots: Readonly<Record<string, readonly string[]>>
}

/** A file of the set. */
export interface ReactorFile {
  readonly reference: string
  /** The name it has on AWS. */
  readonly name: string
  readonly text: string
  /** Where it was read. */
  readonly source: string
}

/** A set as it was read, not yet judged. */
export interface ReactorFolder {
  readonly entries: readonly ReactorEntry[]
  readonly files: readonly ReactorFile[]
  /** The `*.test.yml` files. */
  readonly tests: readonly { readonly source: string; readonly text: string }[]
  readonly problems: readonly ReactorConfigProblem[]
  /** `reactor.conf`, for messages about it. */
  readonly config: string
}

const reactorRoot = '/srv/reactor'
const saltRoot = '/srv/salt'

/** Reads it. Throws a BrineError `reactors` where there is no folder, or a configuration that is no YAML. */
export function readReactors(folders: ReactorFolders): ReactorFolder {
  const config = join(folders.reactors, 'reactor.conf')
  if (!statSync(config, { throwIfNoEntry: false })?.isFile()) {
    throw new BrineError(
      `There is no ${config}. Write one (reactor: with a list of globs and their files), or set reactors to its folder.`,
      { code: 'reactors' },
    )
  }
  const document = loadYaml(readFileSync(config, 'utf8'), { name: config })
  const option = isMap(document) ? (get(document, 'reactor') ?? null) : null
  const { config: parsed, problems } = parseReactorConfig(option)
  const places = placesOf(folders)
  const references = [...new Set(parsed.entries.flatMap(({ files }) => files))]
  const tests = listing(folders.reactors).filter((name) => name.endsWith('.test.yml'))
  return {
    entries: parsed.entries,
    files: references.flatMap((reference) => filesOf(reference, places, folders)),
    tests: tests.map((name) => {
      const source = join(folders.reactors, name)
      return { source, text: readFileSync(source, 'utf8') }
    }),
    problems,
    config,
  }
}

/** What is deployed of a set: its entries, and every file that one, now or added at run time, may name. */
export function libraryOf(
  { entries }: ReactorFolder,
  folders: ReactorFolders,
): {
  readonly entries: readonly ReactorEntry[]
  readonly files: readonly { readonly name: string; readonly text: string }[]
} {
  const files = [...placesOf(folders)]
    .filter(([name]) => name.endsWith('.sls'))
    .map(([name, source]) => ({ name, text: readFileSync(source, 'utf8') }))
  return { entries, files: files.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Names on AWS and where each is here. */
function placesOf({ reactors, fileRoots }: ReactorFolders): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  for (const root of [...(fileRoots.base ?? [])].reverse())
    for (const name of listing(root)) places.set(`${saltRoot}/${name}`, join(root, name))
  for (const name of listing(reactors)) places.set(`${reactorRoot}/${name}`, join(reactors, name))
  return places
}

function filesOf(reference: string, places: ReadonlyMap<string, string>, { fileRoots }: ReactorFolders): ReactorFile[] {
  const roots = { reactor: reactorRoot, base: saltRoot, hasSrvReactor: true, hasSrvSalt: true }
  const found = parseReference(reference, roots)
  if (found.kind === 'salt') {
    const source = (fileRoots[found.saltenv] ?? []).map((root) => join(root, found.path)).find(isFile)
    return source === undefined ? [] : [readFile(reference, `${saltRoot}/${found.path}`, source)]
  }
  return expandFileGlob(found.path, [...places.keys()]).map((name) => readFile(reference, name, places.get(name) ?? ''))
}

function readFile(reference: string, name: string, source: string): ReactorFile {
  return { reference, name, source, text: readFileSync(source, 'utf8') }
}

/** Every file below a folder, as paths relative to it. */
export function listing(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => isFile(join(folder, name)))
    .map((name) => relative(folder, join(folder, name)))
    .sort()
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
