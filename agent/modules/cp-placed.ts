// The functions of `cp` that put texts in places: those that came with a job, and rendered ones.
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { messageOf } from '../../core/error.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { asPython } from '../filesystem/os-error.ts'
import { isDirectory, isRegularFile } from '../filesystem/paths.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { renderFile, TEMPLATES } from './file/template.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

async function receive(args: Arguments): Promise<Value> {
  const dest = args.text('dest')
  const told: Mapping = {}
  for (const [path, text] of Object.entries(args.map('files'))) {
    const inFolder = await isDirectory(dest)
    if (!inFolder && !(await isDirectory(dirname(dest)))) return 'Destination unavailable'
    const place = inFolder ? join(dest, basename(path)) : dest
    told[place] = await writeWhole(place, pythonStr(text)).then(
      () => true,
      () => false,
    )
  }
  return told
}

/** A piece of a file; what goes wrong is what is returned. */
async function receiveChunk(args: Arguments, call: Call): Promise<Value> {
  const dest = args.text('dest')
  const failed = (error: unknown): string => {
    call.context.retcode = 1
    return messageOf(error)
  }
  try {
    if (args.value('chunk') === null) {
      if (await isRegularFile(dest)) return 'Path exists and is a file'
      await mkdir(dest, { recursive: true })
      return true
    }
    const chunk = Buffer.from(args.text('chunk'), 'base64')
    const bytes = args.is('compressed') ? gunzipSync(chunk) : chunk
    await mkdir(dirname(dest), { recursive: true })
    await (args.is('append') ? appendFile(dest, bytes) : writeFile(dest, bytes))
    if (!args.is('append') && args.value('mode') !== null) await chmod(dest, args.integer('mode'))
    return true
  } catch (error) {
    return failed(error instanceof Error && 'code' in error ? asPython(error, dest) : error)
  }
}

async function getTemplate(args: Arguments, call: Call): Promise<string> {
  const template = args.text('template')
  if (!TEMPLATES.includes(template))
    throw new CommandExecutionError(`Attempted to render template with unavailable engine ${template}`)
  const env = args.textIfAny('saltenv') ?? pythonStr(call.agent.opts.saltenv ?? 'base')
  const cached = await call.salt('cp.cache_file', [args.value('path'), env])
  if (typeof cached !== 'string' || cached === '') return ''
  const context = args.cleanKeywords
  const given = {
    facts: { source: args.text('path') },
    context: isMapping(context) ? context : {},
    defaults: null,
    env,
  }
  const rendered = await renderFile(await readFile(cached, 'utf8'), given, call)
  if (rendered.kind === 'failed') {
    call.agent.outside.log.error(`Failed to render template with error: ${rendered.words}`)
    return ''
  }
  const dest = args.text('dest')
  if (!(await isDirectory(dirname(dest)))) {
    if (!args.is('makedirs')) return ''
    await mkdir(dirname(dest), { recursive: true })
  }
  // What comes of pillar values is not for everybody.
  await writeWhole(dest, rendered.text, { mode: '0600' })
  return dest
}

/** What they are called by. */
export const placing: Readonly<Record<string, ExecutionFunction>> = {
  recv: define(
    'files, dest',
    `Write files that come with the job: texts by their paths, into a directory, or one to a path.${examples(`brine '*' cp.recv '{"a.txt": "text"}' /tmp`)}`,
    receive,
  ),
  recv_chunked: define(
    'dest, chunk, append=False, compressed=True, mode=None',
    `Write a piece of a file that comes with the job. Returns True, or why it could not be written.

chunk
    The piece in base64; None makes a directory.
append
    It comes after what is there.
compressed
    It is packed with gzip.
mode
    The mode of the file, as a number, with its first piece.${examples("brine '*' cp.recv_chunked /tmp/a dGV4dA== compressed=False")}`,
    receiveChunk,
  ),
  get_template: define(
    "path, dest, template='jinja', saltenv=None, makedirs=False, **kwargs",
    `Render a file of the master's as a template and put it to a place on the minion. Returns that place, or an empty text where it cannot be done. Further keywords are variables of the template.

makedirs
    Make the folder where it is missing.${examples("brine '*' cp.get_template salt://path/to/template /minion/dest")}`,
    getTemplate,
  ),
}
