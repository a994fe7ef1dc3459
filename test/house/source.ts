// Reads the repository's sources: which files there are, which room of the house each stands in, what each imports.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import rooms from '../../house.json' with { type: 'json' }

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What a row of house.json says of a folder. */
export interface Room {
  /** What lives there, for docs/architecture.md. */
  readonly what: string
  /** The folders it may import. */
  readonly imports: readonly string[]
  /** The packages it may import. */
  readonly packages: readonly string[]
  /** The `node:` modules it may import; absent: all. */
  readonly builtins?: readonly string[]
}

/** The rows of house.json by folder. */
export const ROOMS: ReadonlyMap<string, Room> = new Map(Object.entries<Room>(rooms))

/** Folders that may import anything. */
export const FREE = ['test', 'bench', 'docs', 'examples', 'scripts']

/** A parsed file: its path from the root with `/`, its text and its syntax tree. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly parsed: ReturnType<typeof parseSync>
}

/** Parses text as if it stood at that path. A syntax error is an error here: the rules could not be judged. */
export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(basename(path), text)
  const error = parsed.errors[0]
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return { path, text, parsed }
}

const SKIPPED = new Set(['node_modules', 'dist', 'cdk.out'])

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (/\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield path
  }
}

/** Every source file of the repository, sorted by path. */
export function readSources(): readonly Source[] {
  return [...walk(ROOT)]
    .map((path) => parseSource(relative(ROOT, path).split('\\').join('/'), readFileSync(path, 'utf8')))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** True for a unit test, which stands beside its code and may import anything. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** True where the import rules do not hold: tests, the free folders and what stands at the root. */
export function isFree(path: string): boolean {
  return isTest(path) || !path.includes('/') || FREE.some((folder) => path.startsWith(`${folder}/`))
}

/** The row a file stands in: the longest folder of house.json that holds it. */
export function roomOf(path: string): string | undefined {
  return [...ROOMS.keys()].filter((room) => path.startsWith(`${room}/`)).sort((a, b) => b.length - a.length)[0]
}

/** Everything a file imports, types and `import()` included, as written. */
export function importsOf({ parsed, text }: Source): readonly string[] {
  const found = new Set<string>()
  const { staticImports, staticExports, dynamicImports } = parsed.module
  for (const item of staticImports) found.add(item.moduleRequest.value)
  for (const item of staticExports)
    for (const entry of item.entries) if (entry.moduleRequest) found.add(entry.moduleRequest.value)
  for (const { moduleRequest } of dynamicImports) {
    const written = text.slice(moduleRequest.start, moduleRequest.end)
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(written)
    // A file of the user's is imported by its URL; what it is cannot be known here.
    if (!written.includes('pathToFileURL(')) found.add(literal?.[2] ?? written)
  }
  new Visitor({
    TSImportType(node) {
      found.add(node.source.value)
    },
  }).visit(parsed.program)
  return [...found]
}

/** The path from the root that a relative import of a file means. */
export function resolveImport(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}
