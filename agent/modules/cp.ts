// Files from the master and from elsewhere, copied to where they are wanted.
import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { BrineError } from '../../core/error.ts'
import { tagGlob } from '../../core/event/tag-glob.ts'
import { listSls } from '../../core/state/index.ts'
import { pythonStr, type Value } from '../../core/value/index.ts'
import { filesBelow, hashOfFile, saltPath } from '../files/index.ts'
import { isDirectory, isRegularFile } from '../filesystem/paths.ts'
import type { Arguments } from './arguments.ts'
import { placing } from './cp-placed.ts'
import { pushing } from './cp-pushing.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionFunction, type ExecutionModule, examples } from './module.ts'

/** The environment asked for, the minion's own, or `base`. */
function envOf(args: Arguments, call: Call): string {
  const own = call.agent.opts.saltenv
  return args.textIfAny('saltenv') ?? (typeof own === 'string' && own !== '' ? own : 'base')
}

/** Where a file goes: into `dest` where that is a folder. */
async function placeOf(dest: string, path: string): Promise<string> {
  return dest.endsWith('/') || (await isDirectory(dest)) ? join(dest, basename(path)) : dest
}

/** Copies a cached file; false where its folder is not there and is not to be made. */
async function copyTo(local: string, to: string, makedirs: boolean): Promise<string | false> {
  if (!(await isDirectory(dirname(to)))) {
    if (!makedirs) return false
    await mkdir(dirname(to), { recursive: true })
  }
  await copyFile(local, to)
  return to
}

/** A download that fails is told as Salt tells it; any other error stays what it is. */
async function cached(call: Call, url: string, saltenv: string, hash?: string): Promise<string | undefined> {
  try {
    return await call.agent.files.cache(url, saltenv, hash === undefined ? {} : { hash })
  } catch (error) {
    if (error instanceof BrineError && (error.code === 'download' || error.code === 'url'))
      throw new CommandExecutionError(error.message, error)
    throw error
  }
}

async function getFile(args: Arguments, call: Call): Promise<Value> {
  const url = args.text('path')
  const local = await cached(call, url, envOf(args, call))
  if (local === undefined) return ''
  return copyTo(local, await placeOf(args.text('dest'), saltPath(url, '').path), args.is('makedirs'))
}

async function getUrl(args: Arguments, call: Call): Promise<Value> {
  const url = args.text('path')
  const local = await cached(call, url, envOf(args, call), args.textIfAny('source_hash'))
  if (local === undefined) return false
  const dest = args.value('dest')
  if (dest === null) return readFile(local, 'utf8')
  if (dest === '') return local
  return copyTo(local, await placeOf(pythonStr(dest), url.replace(/[?#].*$/, '')), args.is('makedirs'))
}

async function getFileText(args: Arguments, call: Call): Promise<Value> {
  const local = await cached(call, args.text('path'), envOf(args, call))
  return local === undefined ? false : readFile(local, 'utf8')
}

/** A folder of the master's below `dest`, under its own name; with a slash at its end, what is in it. */
async function getDir(args: Arguments, call: Call): Promise<Value> {
  const url = args.text('path')
  const dest = args.text('dest')
  const name = url.endsWith('/') ? '' : basename(saltPath(url, '').path)
  const copied: string[] = []
  for (const { relative, local } of await call.agent.files.cacheFolder(url, envOf(args, call))) {
    const to = join(dest, name, relative)
    if ((await copyTo(local, to, true)) !== false) copied.push(to)
  }
  return copied
}

async function cacheFiles(args: Arguments, call: Call): Promise<Value> {
  const results: Value[] = []
  for (const path of args.texts('paths')) results.push((await cached(call, path, envOf(args, call))) ?? false)
  return results
}

async function cacheDir(args: Arguments, call: Call): Promise<Value> {
  const files = await call.agent.files.cacheFolder(args.text('path'), envOf(args, call))
  const [include, exclude] = ['include_pat', 'exclude_pat'].map((name) => patternOf(args.textIfAny(name)))
  return files
    .filter(({ relative }) => include?.(relative) !== false && exclude?.(relative) !== true)
    .map(({ local }) => local)
}

/** A shell pattern, or with `E@` a regular expression. */
function patternOf(text: string | undefined): ((path: string) => boolean) | undefined {
  if (text === undefined) return undefined
  if (text.startsWith('E@')) {
    const expression = new RegExp(text.slice(2))
    return (path) => expression.test(path)
  }
  const matches = tagGlob(text)
  return (path) => matches(path)
}

async function listed(args: Arguments, call: Call): Promise<string[]> {
  const prefix = args.text('prefix').replace(/^\/+/, '')
  const files = await call.agent.files.list(envOf(args, call))
  return files.map(({ path }) => path).filter((path) => path.startsWith(prefix))
}

async function folders(args: Arguments, call: Call): Promise<Value> {
  const prefix = args.text('prefix').replace(/^\/+/, '')
  const names = new Set<string>()
  for (const { path } of await call.agent.files.list(envOf(args, call))) {
    const parts = path.split('/').slice(0, -1)
    for (let length = 1; length <= parts.length; length++) names.add(parts.slice(0, length).join('/'))
  }
  return [...names].filter((name) => name.startsWith(prefix)).sort()
}

async function hashFile(args: Arguments, call: Call): Promise<Value> {
  const url = args.text('path')
  const kind = call.agent.opts.hash_type
  const algorithm = typeof kind === 'string' ? kind : 'sha256'
  const isSalt = url.startsWith('salt://')
  if (isSalt && algorithm === 'sha256') {
    const hash = await call.agent.files.hash(url, envOf(args, call))
    return hash === undefined ? '' : { hash_type: algorithm, hsum: hash }
  }
  const local = await cached(call, url, envOf(args, call))
  return local === undefined ? '' : { hsum: await hashOfFile(local, algorithm), hash_type: algorithm }
}

async function cacheLocalFile(args: Arguments, call: Call): Promise<Value> {
  const path = args.text('path')
  if (!(await isRegularFile(path))) return ''
  return copyTo(path, join(dirname(call.agent.files.root), 'localfiles', path), true)
}

async function listMinion(args: Arguments, call: Call): Promise<Value> {
  const folder = join(call.agent.files.root, envOf(args, call))
  return (await filesBelow(folder)).map(({ path }) => join(folder, path)).sort()
}

async function statesOf(args: Arguments, call: Call): Promise<Value> {
  const env = envOf(args, call)
  const paths = (await call.agent.files.list(env)).map(({ path }) => path)
  return [...listSls({ environments: () => [env], paths: () => paths, read: () => undefined }, env)]
}

async function modeOf(args: Arguments, call: Call): Promise<Value> {
  const local = await cached(call, args.text('path'), envOf(args, call))
  if (local === undefined) return null
  const { mode } = await stat(local)
  return args.is('octal') ? `0${(mode & 0o7777).toString(8)}` : mode
}

const more = { readOnly: true }

const getting: Record<string, ExecutionFunction> = {
  ...placing,
  ...pushing,
  get_file: define(
    'path, dest, saltenv=None, makedirs=False, template=None, gzip=None, **kwargs',
    `Copy a file of the master's to a place on the minion. Returns that place, or an empty text where there is no such file.

makedirs
    Make the folder where it is missing.${examples("brine '*' cp.get_file salt://path/to/file /minion/dest")}`,
    getFile,
  ),
  get_file_str: define(
    'path, saltenv=None',
    `Return the text of a file of the master's, or False.${examples("brine '*' cp.get_file_str salt://my/file")}`,
    getFileText,
    more,
  ),
  get_url: define(
    "path, dest='', saltenv=None, makedirs=False, source_hash=None",
    `Get a file from the master, a web server or this machine. Without dest it is cached, with dest=None its text is returned.${examples("brine '*' cp.get_url salt://my/file /tmp/this_file_is_mine", "brine '*' cp.get_url http://www.example.org /tmp/index.html")}`,
    getUrl,
  ),
  get_dir: define(
    'path, dest, saltenv=None, template=None, gzip=None, **kwargs',
    `Copy a folder of the master's below a folder of the minion.${examples("brine '*' cp.get_dir salt://path/to/dir/ /minion/dest")}`,
    getDir,
  ),
  cache_file: define(
    'path, saltenv=None, source_hash=None, verify_ssl=True, use_etag=False',
    `Cache a file and return the path of the copy, or False.${examples("brine '*' cp.cache_file salt://path/to/file")}`,
    async (args, call) =>
      (await cached(call, args.text('path'), envOf(args, call), args.textIfAny('source_hash'))) ?? false,
    more,
  ),
  cache_files: define(
    'paths, saltenv=None',
    `Cache several files, of a list or with commas between them.${examples("brine '*' cp.cache_files salt://pathto/file1,salt://pathto/file1")}`,
    cacheFiles,
  ),
  cache_dir: define(
    'path, saltenv=None, include_empty=False, include_pat=None, exclude_pat=None',
    `Cache all files of a folder. The patterns are the shell's, or with E@ in front regular expressions.${examples("brine '*' cp.cache_dir salt://path/to/dir", "brine '*' cp.cache_dir salt://path/to/dir include_pat='E@*.py$'")}`,
    cacheDir,
  ),
  cache_master: define(
    'saltenv=None',
    `Cache all files of the master's.${examples("brine '*' cp.cache_master")}`,
    async (args, call) => (await call.agent.files.cacheFolder('salt://', envOf(args, call))).map(({ local }) => local),
  ),
  cache_local_file: define(
    'path',
    `Cache a file of the minion's own.${examples("brine '*' cp.cache_local_file /etc/hosts")}`,
    cacheLocalFile,
  ),
}

const asking: Record<string, ExecutionFunction> = {
  cache_dest: define(
    'url, saltenv=None',
    `Return the path under which a file would be cached.${examples("brine '*' cp.cache_dest https://foo.com/bar.rpm", "brine '*' cp.cache_dest salt://my/file")}`,
    (args, call) => call.agent.files.destination(args.text('url'), envOf(args, call)),
    more,
  ),
  envs: define(
    '',
    `List the environments there are.${examples("brine '*' cp.envs")}`,
    (_, call) => call.agent.files.envs(),
    more,
  ),
  list_states: define(
    'saltenv=None',
    `List the states of the environment.${examples("brine '*' cp.list_states")}`,
    statesOf,
    more,
  ),
  list_master: define(
    "saltenv=None, prefix=''",
    `List the files of the environment.${examples("brine '*' cp.list_master")}`,
    listed,
    more,
  ),
  list_master_dirs: define(
    "saltenv=None, prefix=''",
    `List the folders of the environment.${examples("brine '*' cp.list_master_dirs")}`,
    folders,
    more,
  ),
  list_master_symlinks: define(
    "saltenv=None, prefix=''",
    `List the links of the environment: none, since they are served as the files they lead to.${examples("brine '*' cp.list_master_symlinks")}`,
    () => ({}),
    more,
  ),
  list_minion: define(
    'saltenv=None',
    `List the files cached of the environment.${examples("brine '*' cp.list_minion")}`,
    listMinion,
    more,
  ),
  is_cached: define(
    'path, saltenv=None',
    `Return the path of the copy that is cached, or an empty text.${examples("brine '*' cp.is_cached salt://path/to/file")}`,
    async (args, call) => (await call.agent.files.cached(args.text('path'), envOf(args, call))) ?? '',
    more,
  ),
  hash_file: define(
    'path, saltenv=None',
    `Return the hash of a file of the master's or the minion's.${examples("brine '*' cp.hash_file salt://path/to/file")}`,
    hashFile,
    more,
  ),
  stat_file: define(
    'path, saltenv=None, octal=True',
    `Return the permissions of a file of the master's as the minion caches it.${examples("brine '*' cp.stat_file salt://path/to/file")}`,
    modeOf,
    more,
  ),
}

/** Salt's `cp` module. */
export const cp: ExecutionModule = { name: 'cp', file: 'cp', functions: { ...getting, ...asking } }
