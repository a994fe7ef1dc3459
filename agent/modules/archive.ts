// Archives: what is in them, taken out and made.
import { readdir, stat } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { type BrineError, messageOf } from '../../core/error.ts'
import { isInteger, pythonStr, type Value } from '../../core/value/index.ts'
import { contentsOf, guessFormat, sorted, stripped, topLevel } from '../archives/contents.ts'
import { BadZip, packZip, unpackZip, ZipArchive, type ZipSource } from '../archives/zip.ts'
import { exists, isDirectory } from '../filesystem/paths.ts'
import { sourcesOf, trimmed } from './archive-lists.ts'
import { rarFunctions } from './archive-rar.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { runProgram } from './program.ts'
import { shellWords } from './shell-words.ts'

/** The archive on this machine. Throws CommandExecutionError where it is not to be had. */
async function cachedPath(args: Arguments, call: Call): Promise<string> {
  const name = args.text('name')
  const found = await call.salt('cp.cache_file', [name], { saltenv: args.text('saltenv') })
  if (typeof found !== 'string' || found === '') throw new CommandExecutionError(`Failed to cache ${name}`)
  return found
}

async function list(args: Arguments, call: Call): Promise<Value> {
  const name = args.text('name')
  const path = await cachedPath(args, call)
  try {
    const format = args.textIfAny('archive_format') ?? guessFormat(name.replace(/[?#].*$/, ''))
    if (format === undefined)
      throw new CommandExecutionError("Unable to guess archive format, please pass an 'archive_format' argument.")
    if (format !== 'tar' && format !== 'zip') throw new CommandExecutionError(`Unsupported archive format '${format}'`)
    const strip = args.value('strip_components')
    if (args.is('strip_components') && !(isInteger(strip) && Number(strip) > 0))
      throw new CommandExecutionError("'strip_components' must be a positive integer")
    const whole = await contentsOf(name, path, format)
    const contents = args.is('strip_components') ? stripped(whole, Number(strip)) : whole
    const { dirs, files, links } = contents
    if (!args.is('verbose')) return sorted([...dirs, ...files, ...links])
    const lists = { dirs: sorted(dirs), files: sorted(files), links: sorted(links) }
    return { ...lists, ...topLevel(contents) } as unknown as Value
  } catch (error) {
    if (error instanceof CommandExecutionError) throw located(error, path)
    throw error
  }
}

/** The same error, with where the archive lies. */
function located(error: BrineError, path: string): CommandExecutionError {
  const sentence = /[.?!]$/.test(error.message) ? error.message : `${error.message}.`
  return new CommandExecutionError(`${sentence} Additional info follows:\n\narchive location:\n    ${path}`, error)
}

const excluded = (args: Arguments): string[] => args.texts('excludes')

async function unzip(args: Arguments, call: Call): Promise<Value> {
  const password = args.textIfAny('password')
  const [zip, dest] = [args.text('zip_file'), args.text('dest')]
  try {
    const archive = await ZipArchive.read(zip)
    const excludes = excluded(args)
    if (password !== undefined && archive.members.some(({ isEncrypted }) => isEncrypted)) {
      const words = ['unzip', '-qq', '-o', '-P', password, zip, '-d', dest, ...(excludes.length > 0 ? ['-x'] : [])]
      const ran = await runProgram(call, [...words, ...excludes], { merge: true, runas: args.textIfAny('runas') })
      if (ran.retcode !== 0) throw new BadZip(`Bad password for file ${zip}: ${ran.stdout}`)
      const names = archive.members.map(({ name }) => name).filter((name) => !excludes.includes(name))
      return trimmed(names, args.value('trim_output'))
    }
    const names = await unpackZip(archive, dest, { excludes, permissions: args.is('extract_perms') })
    return trimmed(names, args.value('trim_output'))
  } catch (error) {
    throw new CommandExecutionError(`Exception encountered unpacking zipfile: ${messageOf(error)}`, error)
  }
}

async function unzipByProgram(args: Arguments, call: Call): Promise<Value> {
  const password = args.textIfAny('password')
  const excludes = excluded(args)
  const words = [
    'unzip',
    ...(password === undefined ? [] : ['-P', password]),
    ...shellWords(args.textIfAny('options') ?? ''),
    args.text('zip_file'),
    '-d',
    args.text('dest'),
    ...(args.value('excludes') === null ? [] : ['-x', ...excludes]),
  ]
  const { retcode, stdout } = await runProgram(call, words, { merge: true, runas: args.textIfAny('runas') })
  if (retcode !== 0) throw new CommandExecutionError(stdout)
  return trimmed(linesOf(stdout), args.value('trim_output'))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

async function zip(args: Arguments): Promise<Value> {
  const cwd = args.textIfAny('cwd')
  const names = await sourcesOf(args.value('sources'))
  if (cwd === undefined && names.some((name) => !isAbsolute(name)))
    throw new SaltInvocationError("Relative paths require the 'cwd' parameter")
  if (cwd !== undefined && !isAbsolute(cwd)) throw new SaltInvocationError('cwd must be absolute')
  const root = cwd ?? '/'
  const sources: ZipSource[] = []
  try {
    for (const name of names)
      sources.push(...(await sourcesAt(join(root, isAbsolute(name) ? relative(root, name) : name), root)))
    await packZip(args.text('zip_file'), sources)
  } catch (error) {
    throw new CommandExecutionError(`Exception encountered creating zipfile: ${messageOf(error)}`, error)
  }
  return sources.map(({ name }) => name)
}

/** A file, or a directory with all below it, the files of each before its directories; nothing where nothing is. */
async function sourcesAt(path: string, root: string): Promise<ZipSource[]> {
  if (!(await exists(path))) return []
  const name = relative(root, path)
  if (!(await isDirectory(path))) return [{ name, path }]
  const found: ZipSource[] = [{ name: `${name}/`, path }]
  const folders: string[] = []
  for (const entry of (await readdir(path)).sort()) {
    const below = join(path, entry)
    if ((await stat(below)).isDirectory()) folders.push(below)
    else found.push({ name: join(name, entry), path: below })
  }
  for (const folder of folders) found.push(...(await sourcesAt(folder, root)))
  return found
}

/** A program by its words; what it prints, line by line. */
async function told(call: Call, words: readonly string[], args: Arguments): Promise<Value> {
  const cwd = args.textIfAny('cwd')
  const runas = args.textIfAny('runas')
  const printed = await call.salt('cmd.run', [[...words]], {
    python_shell: false,
    ...(cwd === undefined ? {} : { cwd }),
    ...(runas === undefined ? {} : { runas }),
  })
  return linesOf(pythonStr(printed))
}

async function tar(args: Arguments, call: Call): Promise<Value> {
  if (!args.is('options')) throw new SaltInvocationError('Tar options can not be empty')
  const dest = args.textIfAny('dest')
  const words = ['tar', ...args.text('options').split(/\s+/).filter(Boolean), args.text('tarfile')]
  return told(
    call,
    [...words, ...(dest === undefined ? [] : ['-C', dest]), ...(await sourcesOf(args.value('sources')))],
    args,
  )
}

const packer = (program: string, file: string) =>
  define(
    `${file}, template=None, runas=None, options=None`,
    `Run ${program} on a file. Returns what it prints.

options
    A further option.${examples(`brine '*' archive.${program} /tmp/${program === 'gzip' ? 'sourcefile.txt' : 'sourcefile.txt.gz'}`)}`,
    (args, call) => {
      const options = args.textIfAny('options')
      return told(call, [program, ...(options === undefined ? [] : [options]), args.text(file)], args)
    },
  )

async function isEncrypted(args: Arguments, call: Call): Promise<Value> {
  const path = await cachedPath(args, call)
  try {
    return (await ZipArchive.read(path)).members.some((member) => member.isEncrypted)
  } catch (error) {
    if (error instanceof BadZip)
      throw located(new CommandExecutionError(`${args.text('name')} is not a ZIP file`, error), path)
    throw error
  }
}

const unzipping = `

excludes
    Members that are left out: a list, or names with commas between them.
options
    Options of the program.
trim_output
    Return so many names at most; True for a hundred.
password
    For an encrypted archive. Others can see it while the program runs.`

/** Salt's `archive` module. */
export const archive: ExecutionModule = {
  name: 'archive',
  file: 'archive',
  functions: {
    ...rarFunctions,
    list: define(
      "name, archive_format=None, options=None, strip_components=None, clean=False, verbose=False, saltenv='base', source_hash=None, use_etag=False",
      `List the files and directories in a tar or zip archive; a URL is cached first.

archive_format
    \`\`tar\`\` or \`\`zip\`\`, where the name does not say it.
strip_components
    Leave out so many of the first parts of each path.
verbose
    Tell directories, files and links apart, and what stands at the top.${examples("brine '*' archive.list /path/to/myfile.tar.gz", "brine '*' archive.list salt://foo.zip verbose=True")}`,
      list,
    ),
    tar: define(
      'options, tarfile, sources=None, dest=None, cwd=None, template=None, runas=None',
      `Run tar. Returns what it prints.

options
    \`\`cjvf\`\`, \`\`xf\`\` and the like.
sources
    What is put in: a list, or names with commas between them; patterns are expanded.
dest
    Where it is unpacked.${examples("brine '*' archive.tar cjvf /tmp/tarfile.tar.bz2 /tmp/file_1,/tmp/file_2", "brine '*' archive.tar xf foo.tar dest=/target/directory")}`,
      tar,
    ),
    gzip: packer('gzip', 'sourcefile'),
    gunzip: packer('gunzip', 'gzipfile'),
    zip: define(
      'zip_file, sources, template=None, cwd=None, runas=None, zip64=False',
      `Make a zip archive. Returns what was put in.

sources
    A list, or names with commas between them; patterns are expanded.
cwd
    The directory the names are relative to, here and in the archive.${examples("brine '*' archive.zip /tmp/zipfile.zip /tmp/sourcefile1,/tmp/sourcefile2", "brine '*' archive.zip /tmp/baz.zip baz.txt cwd=/foo/bar")}`,
      zip,
    ),
    cmd_zip: define(
      'zip_file, sources, template=None, cwd=None, runas=None',
      `Make a zip archive with the program zip. Returns what it prints.${examples("brine '*' archive.cmd_zip /tmp/zipfile.zip /tmp/sourcefile1,/tmp/sourcefile2")}`,
      async (args, call) =>
        told(call, ['zip', '-r', args.text('zip_file'), ...(await sourcesOf(args.value('sources')))], args),
    ),
    unzip: define(
      'zip_file, dest, excludes=None, options=None, template=None, runas=None, trim_output=False, password=None, extract_perms=True',
      `Unpack a zip archive. Returns the names of what was unpacked.${unzipping}
extract_perms
    False: files get the modes of new files.${examples("brine '*' archive.unzip /tmp/zipfile.zip /home/strongbad/ excludes=file_1,file_2")}`,
      unzip,
    ),
    cmd_unzip: define(
      'zip_file, dest, excludes=None, options=None, template=None, runas=None, trim_output=False, password=None',
      `Unpack a zip archive with the program unzip. Returns what it prints.${unzipping}${examples("brine '*' archive.cmd_unzip /tmp/zipfile.zip /home/strongbad/ excludes=file_1,file_2")}`,
      unzipByProgram,
    ),
    is_encrypted: define(
      "name, clean=False, saltenv='base', source_hash=None, use_etag=False",
      `Whether a zip archive needs a password.${examples("brine '*' archive.is_encrypted /path/to/myfile.zip")}`,
      isEncrypted,
    ),
  },
}
