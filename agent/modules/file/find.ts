// Finds files by name, kind, owner, size, age and contents, and tells of them: Salt's `file.find`.
import { spawn } from 'node:child_process'
import type { Stats } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { messageOf } from '../../../core/error.ts'
import { type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { hashFile } from '../../filesystem/hash.ts'
import { groupNameOf, userName } from '../../filesystem/owners.ts'
import { baseName, expandUser, globPaths, joinPath, lstatOf, statOf, walk } from '../../filesystem/paths.ts'
import { textPattern } from '../../filesystem/pattern.ts'
import { decode } from '../../filesystem/text.ts'
import type { Arguments } from '../arguments.ts'
import { define, type ExecutionFunction, examples } from '../module.ts'
import { shellWords } from '../shell-words.ts'
import { accountByName, groupId } from '../users.ts'

/** One thing found on the way. */
interface Candidate {
  readonly path: string
  readonly name: string
  /** Of what is behind a link, where something is. */
  readonly about: Stats
  readonly link: boolean
}

type Test = (candidate: Candidate) => boolean | Promise<boolean>
type Action = (candidate: Candidate) => Promise<Value | undefined>

const letters: readonly (readonly [string, (about: Stats) => boolean])[] = [
  ['b', (about) => about.isBlockDevice()],
  ['c', (about) => about.isCharacterDevice()],
  ['d', (about) => about.isDirectory()],
  ['f', (about) => about.isFile()],
  ['l', (about) => about.isSymbolicLink()],
  ['p', (about) => about.isFIFO()],
  ['s', (about) => about.isSocket()],
]

const letterOf = (about: Stats): string => letters.find(([, is]) => is(about))?.[0] ?? '?'

/** A link is one, and is also what it leads to. */
function isOf(wanted: ReadonlySet<string>, { about, link }: Candidate): boolean {
  return wanted.has(letterOf(about)) || (link && wanted.has('l'))
}

/** A criterion that cannot be read: what `file.find` returns after `error: `. */
class Criterion extends Error {}

function kinds(text: string): ReadonlySet<string> {
  const wanted = text.replaceAll(',', '').replace(/\s/g, '')
  for (const letter of wanted) {
    if (!letters.some(([known]) => known === letter)) throw new Criterion(`invalid file type "${letter}"`)
  }
  return new Set(wanted)
}

function pattern(text: string, flags = 0): RegExp {
  try {
    return textPattern(text, flags)
  } catch {
    throw new Criterion(`invalid regular expression: "${text}"`)
  }
}

/** Python's `re.match`. */
const begins = (expression: RegExp, text: string): boolean => expression.exec(text)?.index === 0

/** Salt's own reading of a shell pattern. */
const shell = (text: string): string => `${text.replaceAll('.', '\\.').replaceAll('?', '.?').replaceAll('*', '.*')}$`

function sizes(given: string): readonly [number, number] {
  const [, sign = '', digits = '', unit = ''] = /^\s*([-+]?)\s*([\d.]*)\s*([bkmgtBKMGT]?)\s*$/.exec(given) ?? []
  const factor = 1024 ** Math.max(0, 'bkmgt'.indexOf(unit.toLowerCase()))
  const number = Math.trunc(Number(digits) * factor)
  if (digits === '' || Number.isNaN(number)) throw new Criterion(`invalid size: "${given}"`)
  if (sign === '-') return [0, number]
  return sign === '+' ? [number, Number.MAX_SAFE_INTEGER] : [number, number + factor - 1]
}

/** Seconds, and the seconds of the smallest unit. */
function interval(given: string): { seconds: number; unit: number; sign: string } {
  const part = '(?:(\\d+(?:\\.\\d*)?)\\s*'
  const read = new RegExp(
    `^\\s*([+-]?)${part}w)?\\s*${part}d)?\\s*${part}h)?\\s*${part}m)?\\s*${part}s)?\\s*$`,
    'i',
  ).exec(given)
  if (read === null) throw new Criterion(`invalid time interval: '${given}'`)
  const [, sign = '', ...parts] = read
  const units = [604_800, 86_400, 3600, 60, 1]
  const seconds = units.reduce((sum, unit, index) => sum + Number(parts[index] ?? 0) * unit, 0)
  const unit = units.findLast((_, index) => parts[index] !== undefined) ?? 1
  return { seconds, unit, sign }
}

async function numbers(
  given: string,
  what: string,
  find: (name: string) => Promise<number | undefined>,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (const name of given.replaceAll(',', ' ').split(/\s+/).filter(Boolean)) {
    const number = /^\d+$/.test(name) ? Number(name) : await find(name)
    if (number === undefined) throw new Criterion(`no such ${what} "${name}"`)
    found.add(number)
  }
  return found
}

async function testOf(key: string, text: string): Promise<Test | undefined> {
  switch (key) {
    case 'name':
    case 'iname': {
      const expression = pattern(shell(text), key === 'iname' ? 2 : 0)
      return ({ name }) => begins(expression, name)
    }
    case 'regex':
    case 'iregex': {
      const expression = pattern(text, key === 'iregex' ? 2 : 0)
      return ({ name }) => begins(expression, name)
    }
    case 'type': {
      const wanted = kinds(text)
      return (candidate) => isOf(wanted, candidate)
    }
    case 'owner': {
      const wanted = await numbers(text, 'user', async (name) => (await accountByName(name))?.uid)
      return ({ about }) => wanted.has(about.uid)
    }
    case 'group': {
      const wanted = await numbers(text, 'group', groupId)
      return ({ about }) => wanted.has(about.gid)
    }
    case 'size': {
      const [least, most] = sizes(text)
      return ({ about }) => about.size >= least && about.size <= most
    }
    case 'mtime': {
      const { seconds, unit, sign } = interval(text)
      const border = Date.now() / 1000 - Math.trunc(seconds / unit) * unit
      return ({ about }) => (sign === '-' ? about.mtimeMs / 1000 >= border : about.mtimeMs / 1000 <= border)
    }
    case 'grep': {
      const expression = pattern(text)
      return async ({ path, about }) => about.isFile() && expression.test(decode(await readFile(path)))
    }
    default:
      return undefined
  }
}

async function told(what: string, { path, name, about }: Candidate): Promise<Value> {
  switch (what) {
    case 'path':
      return path
    case 'name':
      return name
    case 'size':
      return about.size
    case 'type':
      return letterOf(about)
    case 'mode':
      return about.mode & 0o777
    case 'mtime':
      return Math.trunc(about.mtimeMs / 1000)
    case 'user':
      return userName(about.uid)
    case 'group':
      return groupNameOf(about.gid)
    case 'md5':
      return about.isFile() ? hashFile(path, 'md5') : ''
    default:
      throw new Criterion(`invalid print option "${what}"`)
  }
}

function printing(text: string): Action {
  const wanted = text.replaceAll(',', ' ').split(/\s+/).filter(Boolean)
  return async (candidate) => {
    const values: Value[] = []
    for (const what of wanted.length === 0 ? ['path'] : wanted) values.push(await told(what, candidate))
    return values.length === 1 ? (values[0] ?? null) : values
  }
}

function deleting(text: string, test: boolean): Action {
  const wanted = kinds(text.includes('a') ? 'bcdpfls' : text)
  return async (candidate) => {
    if (!isOf(wanted, candidate)) return undefined
    const { path, about } = candidate
    if (!test) await rm(path, { recursive: about.isDirectory(), force: true })
    return path
  }
}

/** Runs a command for each; `{}` in it is the path. */
function executing(command: string): Action {
  const words = shellWords(command)
  return async ({ path }) => {
    const [program = '', ...rest] = words.map((word) => word.replaceAll('{}', path))
    await new Promise<void>((resolve) => {
      const child = spawn(program, rest, { stdio: 'ignore' })
      child.on('error', () => resolve())
      child.on('close', () => resolve())
    })
    return path
  }
}

interface Search {
  readonly tests: readonly Test[]
  readonly actions: readonly Action[]
  readonly least: number
  readonly most: number
}

async function searchOf(options: Mapping): Promise<Search> {
  const tests: Test[] = []
  const actions: Action[] = []
  let [least, most] = [0, Number.POSITIVE_INFINITY]
  for (const [key, value] of Object.entries(options)) {
    const text = pythonStr(value)
    if (key === 'mindepth' || key === 'maxdepth') {
      if (!/^-?\d+$/.test(text.trim()))
        throw new Criterion(
          `minimum depth must be an integer: "${text}"`.replace('minimum', key === 'mindepth' ? 'minimum' : 'maximum'),
        )
      if (key === 'mindepth') least = Number(text)
      else most = Number(text)
    } else if (key === 'test') continue
    else if (key === 'print') actions.push(printing(text))
    else if (key === 'delete') actions.push(deleting(text, 'test' in options))
    else if (key === 'exec') actions.push(executing(text))
    else {
      const test = await testOf(key, text)
      if (test === undefined) throw new Criterion(`invalid option "${key}"`)
      tests.push(test)
    }
  }
  return { tests, actions: actions.length === 0 ? [printing('path')] : actions, least, most }
}

async function found(candidate: Candidate, { tests, actions }: Search): Promise<Value[]> {
  for (const test of tests) if (!(await test(candidate))) return []
  const results: Value[] = []
  for (const action of actions) {
    const result = await action(candidate)
    if (result !== undefined) results.push(result)
  }
  return results
}

async function below(top: string, search: Search): Promise<Value[]> {
  const results: Value[] = []
  const take = async (path: string): Promise<void> => {
    const here = await lstatOf(path)
    if (here === undefined) return
    const link = here.isSymbolicLink()
    const about = link ? ((await statOf(path)) ?? here) : here
    results.push(...(await found({ path, name: baseName(path), about, link }, search)))
  }
  if (search.least === 0) await take(top)
  for (const { root, dirs, files } of await walk(top, search.most)) {
    const depth = root === top ? 1 : root.slice(top.length).split('/').filter(Boolean).length + 1
    if (depth < search.least) continue
    for (const name of [...dirs, ...files]) await take(joinPath(root, name))
  }
  return results
}

async function find(args: Arguments): Promise<Value> {
  const words = args.positional.map(pythonStr)
  const options: Mapping = { ...args.cleanKeywords }
  if (words.includes('delete')) options.delete = 'f'
  else if (words.includes('print')) options.print = 'path'
  try {
    const search = await searchOf(options)
    const results: Value[] = []
    for (const top of await globPaths(await expandUser(args.text('path')))) results.push(...(await below(top, search)))
    return results.sort((a, b) => (pythonStr(a) < pythonStr(b) ? -1 : 1))
  } catch (error) {
    if (error instanceof Criterion) return `error: ${messageOf(error)}`
    throw error
  }
}

/** The function, by its name. */
export const finding: Readonly<Record<string, ExecutionFunction>> = {
  find: define(
    'path, *args, **kwargs',
    `Find files below a path that meet every criterion.

name, iname, regex, iregex
    A shell pattern or a regular expression for the name, case heeded or not.
type
    Letters: \`\`b\`\` \`\`c\`\` \`\`d\`\` \`\`f\`\` \`\`l\`\` \`\`p\`\` \`\`s\`\`.
owner, group
    Names or numbers.
size
    \`\`+1g\`\` or more, \`\`-5k\`\` or less, \`\`3m\`\`.
mtime
    \`\`3d\`\`: not changed since; \`\`-1h\`\`: changed since.
grep
    An expression that finds something in the file.
mindepth, maxdepth
    How far below the path.
print
    What to return of each: \`\`path\`\` \`\`name\`\` \`\`size\`\` \`\`type\`\` \`\`mode\`\` \`\`mtime\`\` \`\`user\`\` \`\`group\`\` \`\`md5\`\`.
delete
    Remove those of these types, \`\`a\`\` for all.
exec
    Run a command for each; \`\`{}\`\` is its path.
test
    Delete nothing, only tell.${examples("brine '*' file.find / type=f name=\\*.bak size=+10m", "brine '*' file.find /var mtime=+30d size=+10m print=path,size,mtime", "brine '*' file.find /var/log name=\\*.[0-9] mtime=+30d size=+10m delete")}`,
    find,
  ),
}
