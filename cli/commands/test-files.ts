// Which test files `brine test` runs, and the reactor set they are about.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseMasterConfig } from '../../core/config/index.ts'
import { BrineError } from '../../core/error.ts'
import type { EmbeddedOptions } from '../../platform/embedded/index.ts'

/** The ending of test files. */
const TEST_FILE = '.test.yml'

/** A folder's test files, and the entries of its own `reactor.conf` where it has one. */
export interface TestGroup {
  readonly folder: string
  /** Absolute. */
  readonly files: readonly string[]
}

/** The test files that paths mean, by folder. Throws where a path means none. */
export function testGroups(paths: readonly string[], otherwise: string): TestGroup[] {
  const wanted = paths.length > 0 ? paths : [isFolder('reactors') ? 'reactors' : otherwise]
  const groups = new Map<string, Set<string>>()
  for (const path of wanted) {
    const found = filesOf(resolve(path))
    if (found.files.length === 0) {
      throw new BrineError(`There is no ${basename(found.looked)} in ${dirname(found.looked)}. Write one: ${EXAMPLE}`, {
        code: 'no-tests',
      })
    }
    const files = groups.get(found.folder) ?? new Set()
    for (const file of found.files) files.add(file)
    groups.set(found.folder, files)
  }
  return [...groups].map(([folder, files]) => ({ folder, files: [...files] }))
}

const EXAMPLE = 'a list of cases with `tag:`, `data:` and `expect:` (docs/cookbook.md shows some).'

function filesOf(path: string): { folder: string; files: string[]; looked: string } {
  if (isFolder(path)) {
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(TEST_FILE))
    return { folder: path, files: names.sort().map((name) => join(path, name)), looked: join(path, `*${TEST_FILE}`) }
  }
  const file = path.endsWith('.sls') ? path.replace(/\.sls$/, TEST_FILE) : path
  return { folder: dirname(file), files: isFile(file) ? [file] : [], looked: file }
}

/**
 * The options for a folder's bench: its own `reactor.conf` names the entries, relative to the folder, where it has one
 * and no configuration was asked for by name.
 */
export function benchOptions(folder: string, configured: EmbeddedOptions, isNamed: boolean): EmbeddedOptions {
  const conf = join(folder, 'reactor.conf')
  if (isNamed || !isFile(conf)) return configured
  const { reactor, problems } = parseMasterConfig([{ name: conf, text: readFileSync(conf, 'utf8') }])
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const lines = errors.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`)
    throw new BrineError(lines.join('\n'), { code: 'config' })
  }
  return { ...configured, entries: reactor.entries, places: { ...configured.places, reactorRoot: folder } }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
