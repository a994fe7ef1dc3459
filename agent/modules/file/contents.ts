// What is in files: read, written, appended to, searched, compared.
import { appendFile, open, readFile, truncate } from 'node:fs/promises'
import { tagGlob } from '../../../core/event/tag-glob.ts'
import { pythonStr, type Value } from '../../../core/value/index.ts'
import { diffText } from '../../../core/value/unified-diff.ts'
import { searchInFile } from '../../filesystem/edit-replace.ts'
import { HASH_LENGTHS, hashFile, hashOfLength, SUPPORTED_HASHES } from '../../filesystem/hash.ts'
import { asPython, isErrno, strerror } from '../../filesystem/os-error.ts'
import { exists, globPaths, isRegularFile, realPath } from '../../filesystem/paths.ts'
import { flagsOf, textPattern } from '../../filesystem/pattern.ts'
import { decode, fileLines, looksBinary } from '../../filesystem/text.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../arguments.ts'
import { CommandExecutionError, SaltInvocationError } from '../errors.ts'
import { type Call, define, type ExecutionFunction, examples } from '../module.ts'
import { shellWords } from '../shell-words.ts'
import { linesOf, pathOf } from './asked.ts'

const asking = { readOnly: true }

/** Runs it and words the system's refusal as Python does. */
async function python<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw asPython(error, path)
  }
}

/** Puts lines at the end of a file that is there; a last line without an end gets one. */
export async function appendLines(path: string, lines: readonly string[]): Promise<string> {
  return python(path, async () => {
    const file = await open(path, 'r+')
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(1), position: Math.max(0, size - 1) })
      const start = bytesRead > 0 && buffer[0] !== 10 ? '\n' : ''
      await appendFile(path, start + lines.map((line) => `${line}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    return `Wrote ${lines.length} lines to "${path}"`
  })
}

/** Puts lines before everything else of a file, which is made where it is not there. */
export async function prependLines(path: string, lines: readonly string[]): Promise<string> {
  const before = (await exists(path)) ? await python(path, () => readFile(path)) : Buffer.alloc(0)
  const preface = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  await writeWhole(await realPath(path), Buffer.concat([preface, before]))
  return `Prepended ${lines.length} lines to "${path}"`
}

async function textIfAny(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined
  try {
    return decode(await readFile(path))
  } catch (error) {
    if (isErrno(error, 'EISDIR', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

async function containsRegex(args: Arguments): Promise<boolean> {
  const text = await textIfAny(await pathOf(args))
  if (text === undefined) return false
  const pattern = textPattern(args.text('regex'))
  const chars = args.text('lchar')
  return fileLines(text).some((line) => {
    let at = 0
    while (chars !== '' && chars.includes(line[at] ?? '\n')) at++
    return pattern.test(line.slice(at))
  })
}

async function checkHash(args: Arguments): Promise<boolean> {
  const given = args.value('file_hash')
  if (typeof given !== 'string') throw new SaltInvocationError('hash must be a string')
  const separator = [':', '='].find((char) => given.includes(char))
  if (separator !== undefined) {
    const at = given.indexOf(separator)
    return (await hashFile(await pathOf(args), given.slice(0, at))) === given.slice(at + 1)
  }
  const form = hashOfLength(given.length)
  if (form === undefined) {
    throw new SaltInvocationError(
      `Hash ${given} (length: ${given.length}) could not be matched to a supported hash type. The supported hash types and lengths are: ${SUPPORTED_HASHES}`,
    )
  }
  return (await hashFile(await pathOf(args), form)) === given
}

/** How two files differ; nothing where they do not. `<show_changes=False>` stands for what may not be shown. */
export async function diffFiles(
  a: string,
  b: string,
  options: { readonly names?: readonly [string, string]; readonly showChanges?: boolean } = {},
): Promise<string> {
  const [one, other] = await Promise.all([readForDiff(a), readForDiff(b)])
  return diffBytes(one, other, options)
}

/** {@link diffFiles} of their bytes. */
export function diffBytes(
  a: Buffer,
  b: Buffer,
  options: { readonly names?: readonly [string, string]; readonly showChanges?: boolean } = {},
): string {
  if (a.equals(b)) return ''
  if (options.showChanges === false) return '<show_changes=False>'
  const [wasBinary, isBinary] = [a, b].map((bytes) => looksBinary(bytes.subarray(0, 512)))
  if (wasBinary && isBinary) return 'Replace binary file'
  if (wasBinary) return 'Replace binary file with text file'
  if (isBinary) return 'Replace text file with binary file'
  return diffText(fileLines(decode(a)), fileLines(decode(b)), options.names)
}

async function readForDiff(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new CommandExecutionError(`Failed to read ${path}: ${strerror(error)}`, error)
  }
}

async function getDiff(args: Arguments, call: Call): Promise<string> {
  const given = ['file1', 'file2'].map((name) => args.text(name))
  const paths: string[] = []
  const missing: string[] = []
  for (const file of given) {
    const cached = await cachedPath(file, args.text('saltenv'), call)
    if (cached === undefined) missing.push(`File ${file} not found`)
    else paths.push(cached)
  }
  if (missing.length > 0) throw new CommandExecutionError(`Failed to cache one or more files: ${missing.join(', ')}`)
  const [one = '', other = ''] = paths
  return diffFiles(one, other, {
    showChanges: args.value('show_changes') !== false,
    ...(args.is('show_filenames') ? { names: [one, other] } : {}),
  })
}

/** Where a file is, after it was fetched where it is not this machine's own. */
async function cachedPath(file: string, env: string, call: Call): Promise<string | undefined> {
  if (file.startsWith('/')) return (await exists(file)) ? file : undefined
  const cached: Value = await call.salt('cp.cache_file', [file, env])
  return typeof cached === 'string' && cached !== '' ? cached : undefined
}

async function grep(args: Arguments, call: Call): Promise<Value> {
  const path = await pathOf(args)
  const found = await globPaths(path)
  const options = args.positional.flatMap((option) => {
    const words = shellWords(pythonStr(option))
    if (words.length > 1) {
      throw new SaltInvocationError(
        `Passing multiple command line arguments in a single string is not supported, please pass the following arguments separately: ${pythonStr(option)}`,
      )
    }
    return words
  })
  const command = ['grep', ...options, args.text('pattern'), ...(found.length > 0 ? found : [path])]
  return call.salt('cmd.run_all', [command], { python_shell: false })
}

async function seekRead(args: Arguments): Promise<string> {
  const path = await pathOf(args)
  return python(path, async () => {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(args.integer('size')),
        position: args.integer('offset'),
      })
      return decode(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  })
}

async function seekWrite(args: Arguments): Promise<number> {
  const path = await pathOf(args)
  return python(path, async () => {
    const file = await open(path, 'r+')
    try {
      const data = Buffer.from(args.text('data'))
      const { bytesWritten } = await file.write(data, 0, data.length, args.integer('offset'))
      await file.sync()
      return bytesWritten
    } finally {
      await file.close()
    }
  })
}

/** The functions, by their names. */
export const contents: Readonly<Record<string, ExecutionFunction>> = {
  read: define(
    'path, binary=False',
    `Return what is in a file, as text.${examples("brine '*' file.read /path/to/file")}`,
    async (args) => {
      const path = args.text('path')
      return python(path, async () => decode(await readFile(path)))
    },
    asking,
  ),
  write: define(
    'path, *args, **kwargs',
    `Write lines to a file in place of what is in it. \`\`args\`\` gives them as a keyword.${examples(`brine '*' file.write /etc/motd "With all thine offerings thou shalt offer salt."`, `brine '*' file.write /etc/motd args='["cheese=spam","spam=cheese"]'`)}`,
    async (args) => {
      const path = await pathOf(args)
      const lines = linesOf(args)
      await writeWhole(await realPath(path), lines.map((line) => `${line}\n`).join(''))
      return `Wrote ${lines.length} lines to "${path}"`
    },
  ),
  append: define(
    'path, *args, **kwargs',
    `Put lines at the end of a file. \`\`args\`\` gives them as a keyword.${examples(`brine '*' file.append /etc/motd "With all thine offerings thou shalt offer salt." "Salt is what makes things taste bad when it isn't in them."`, `brine '*' file.append /etc/motd args='cheese=spam'`)}`,
    async (args) => appendLines(await pathOf(args), linesOf(args)),
  ),
  prepend: define(
    'path, *args, **kwargs',
    `Put lines before what is in a file. \`\`args\`\` gives them as a keyword.${examples(`brine '*' file.prepend /etc/motd "With all thine offerings thou shalt offer salt."`)}`,
    async (args) => prependLines(await pathOf(args), linesOf(args)),
  ),
  truncate: define(
    'path, length',
    `Cut a file to so many bytes, or lengthen it with zeros.${examples("brine '*' file.truncate /path/to/file 512")}`,
    async (args) => {
      const path = await pathOf(args)
      await python(path, () => truncate(path, args.integer('length')))
      return null
    },
  ),
  seek_read: define(
    'path, size, offset',
    `Return so many bytes of a file from an offset on, as text.${examples("brine '*' file.seek_read /path/to/file 4096 0")}`,
    seekRead,
    asking,
  ),
  seek_write: define(
    'path, data, offset',
    `Write data into a file at an offset; returns how many bytes.${examples("brine '*' file.seek_write /path/to/file 'some data' 4096")}`,
    seekWrite,
  ),
  contains: define(
    'path, text',
    `Return whether a file contains a text.${examples("brine '*' file.contains /etc/crontab 'mymaintenance.sh'")}`,
    async (args) => (await textIfAny(await pathOf(args)))?.includes(args.text('text').trim()) ?? false,
    asking,
  ),
  contains_regex: define(
    "path, regex, lchar=''",
    `Return whether a regular expression finds something in a line of a file.

lchar
    Characters that are left out at the beginning of lines.${examples("brine '*' file.contains_regex /etc/crontab '^mymaintenance'")}`,
    containsRegex,
    asking,
  ),
  contains_glob: define(
    'path, glob_expr',
    `Return whether a shell pattern matches what is in a file.${examples("brine '*' file.contains_glob /etc/foobar '*cheese*'")}`,
    async (args) => {
      const text = await textIfAny(await pathOf(args))
      return text !== undefined && text !== '' && tagGlob(args.text('glob_expr'))(text)
    },
    asking,
  ),
  search: define(
    'path, pattern, flags=8, bufsize=1, ignore_if_missing=False, multiline=False',
    `Return whether a regular expression finds something in a file.

flags
    A list of \`\`IGNORECASE\`\`, \`\`MULTILINE\`\`, \`\`DOTALL\`\`, … or their sum.
ignore_if_missing
    Answer False where there is no file.${examples("brine '*' file.search /etc/crontab 'mymaintenance.sh'")}`,
    (args) =>
      searchInFile(args.text('path'), args.text('pattern'), flagsOf(args.value('flags')), {
        multiline: args.is('multiline'),
        ignoreMissing: args.is('ignore_if_missing'),
      }),
    asking,
  ),
  grep: define(
    'path, pattern, *opts',
    `Run grep over files and return what it says.

opts
    Options of grep, each a word of its own.${examples("brine '*' file.grep /etc/passwd nobody", "brine '*' file.grep '/etc/sysconfig/network-scripts/*' ipaddr -- -i")}`,
    grep,
    asking,
  ),
  get_hash: define(
    "path, form='sha256', chunk_size=65536",
    `Return a file's digest.

form
    ${Object.keys(HASH_LENGTHS).join(', ')}${examples("brine '*' file.get_hash /etc/shadow")}`,
    async (args) => hashFile(await pathOf(args), args.text('form')),
    asking,
  ),
  get_sum: define(
    "path, form='sha256'",
    `Return a file's digest, or that there is no file.${examples("brine '*' file.get_sum /etc/passwd sha512")}`,
    async (args) => {
      const path = await pathOf(args)
      return (await isRegularFile(path)) ? hashFile(path, args.text('form')) : 'File not found'
    },
    asking,
  ),
  check_hash: define(
    'path, file_hash',
    `Return whether a file has a digest: \`\`md5=…\`\`, \`\`sha256:…\`\`, or the digits alone.${examples("brine '*' file.check_hash /etc/fstab md5:2ac8a5ff4f4c4e1e8d0b6d5d5a8f7a2b")}`,
    checkHash,
    asking,
  ),
  get_diff: define(
    "file1, file2, saltenv='base', show_filenames=True, show_changes=True, template=False, source_hash_file1=None, source_hash_file2=None",
    `Return how two files differ, as a unified diff. Each may be on the minion or on the master (\`\`salt://…\`\`).${examples("brine '*' file.get_diff /home/fred/.vimrc salt://users/fred/.vimrc")}`,
    getDiff,
    asking,
  ),
}
