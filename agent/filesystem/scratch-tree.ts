// A tree of files for tests: made as a recording says, and told as the recording tells it.
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseJson, stringifyJson, type Value } from '../../core/value/index.ts'

/** A file's text, a file with mode or odd bytes, a link, or null for a directory. */
export type TreeEntry =
  | string
  | null
  | { readonly link: string }
  | { readonly text?: string; readonly mode?: string; readonly latin1?: string }

/** What is at each path: `755/` of a directory, `[mode, text]` of a file, `{link}` of a link. */
export type ToldTree = Readonly<Record<string, Value>>

/** One recorded call: on which tree, with what, what it returned and what is another way then. */
export interface TreeCase {
  readonly fun?: string
  readonly state?: string
  /** An SLS file to apply; the result of each state, without times. */
  readonly sls?: string
  readonly tree?: string
  readonly arg?: readonly Value[]
  readonly kwarg?: { readonly [key: string]: Value }
  readonly test?: boolean
  readonly return?: Value
  readonly error?: string
  readonly after?: ToldTree
}

/** The recorded cases of a file, and the trees they begin with. */
export async function readTreeCases(
  file: URL,
): Promise<{ trees: Record<string, Record<string, TreeEntry>>; cases: TreeCase[] }> {
  const [first = '{}', ...rows] = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  const { trees } = JSON.parse(first) as { trees: Record<string, Record<string, TreeEntry>> }
  return { trees, cases: rows.map((row) => parseJson(row) as unknown as TreeCase) }
}

/** A directory whose contents a test sets and tells; `$ROOT` stands for its path in both directions. */
export class ScratchTree {
  readonly root: string

  private constructor(root: string) {
    this.root = root
  }

  static async make(): Promise<ScratchTree> {
    return new ScratchTree(await realpath(await mkdtemp(join(tmpdir(), 'brine-tree-'))))
  }

  async fill(tree: Readonly<Record<string, TreeEntry>>): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
    await mkdir(this.root)
    for (const [name, entry] of Object.entries(tree)) {
      const path = join(this.root, name)
      await mkdir(entry === null ? path : dirname(path), { recursive: true })
      if (entry === null) continue
      if (typeof entry === 'string') await writeFile(path, entry.replaceAll('$ROOT', this.root))
      else if ('link' in entry) await symlink(entry.link.replaceAll('$ROOT', this.root), path)
      else {
        await writeFile(path, entry.latin1 === undefined ? (entry.text ?? '') : Buffer.from(entry.latin1, 'latin1'))
        if (entry.mode !== undefined) await chmod(path, Number.parseInt(entry.mode, 8))
      }
    }
  }

  /** All of it but `srv/`, which the fixtures for `salt://` fill. */
  async told(): Promise<Record<string, Value>> {
    const told: Record<string, Value> = {}
    for (const entry of await readdir(this.root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = relative(this.root, path)
      if (name === 'srv' || name.startsWith('srv/')) continue
      const mode = ((await lstat(path)).mode & 0o7777).toString(8)
      if (entry.isSymbolicLink()) told[name] = { link: await readlink(path) }
      else if (entry.isDirectory()) told[name] = `${mode}/`
      else {
        const bytes = await readFile(path)
        const text = bytes.toString()
        told[name] = [mode, Buffer.from(text).equals(bytes) ? text : { latin1: bytes.toString('latin1') }]
      }
    }
    return this.outward(told) as Record<string, Value>
  }

  /** A value with `$ROOT` in place of the path. */
  outward(value: Value): Value {
    return parseJson(stringifyJson(value).replaceAll(this.root, '$ROOT'))
  }

  /** A value with the path in place of `$ROOT`. */
  inward(value: Value): Value {
    return parseJson(stringifyJson(value).replaceAll('$ROOT', this.root))
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }
}

/** What is another way in `after` than in `before`; null for what is gone. */
export function treeChanges(before: ToldTree, after: ToldTree): Record<string, Value> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, after[name] ?? null]),
  )
}
