// Parameters of the kernel: those that hold now, and those kept in a file for the next boot.
import { access, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { isErrno } from '../filesystem/os-error.ts'
import { exists } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { fileLines } from '../filesystem/text.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf, runProgram } from './program.ts'

/** Where systemd is, it reads a directory; elsewhere there is the one file. */
async function defaultConfig(): Promise<string> {
  return (await exists('/run/systemd/system')) ? '/etc/sysctl.d/99-salt.conf' : '/etc/sysctl.conf'
}

/** The parameter and the value of a line of the file; undefined of any other. */
function settingOf(line: string): [name: string, value: string] | undefined {
  const text = line.trim()
  const mark = text.indexOf('=')
  if (text.startsWith('#') || mark < 0) return undefined
  return [text.slice(0, mark).trimEnd(), text.slice(mark + 1).trimStart()]
}

async function show(args: Arguments, call: Call): Promise<Value> {
  const file = args.textIfAny('config_file')
  if (file !== undefined && args.value('config_file') !== false) {
    try {
      const text = await readFile(file, 'utf8')
      const settings = text.split('\n').map(settingOf)
      return Object.fromEntries(settings.filter((setting) => setting !== undefined))
    } catch (error) {
      return isErrno(error, 'ENOENT') ? [] : null
    }
  }
  const lines = (await outputOf(call, ['sysctl', '-a'])).split('\n').filter((line) => line.includes(' = '))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(' = ')), line.slice(line.indexOf(' = ') + 3)]),
  )
}

const valueNow = (name: string, call: Call): Promise<string> => outputOf(call, ['sysctl', '-n', name], { merge: true })

/** White space does not matter in a value. */
const plain = (value: string): string => value.replace(/\s+/g, '\t')

async function assign(name: string, value: Value, call: Call): Promise<Mapping> {
  const path = `/proc/sys/${name.replace(/[./]/g, (mark) => (mark === '.' ? '/' : '.'))}`
  try {
    await access(path)
  } catch {
    throw new CommandExecutionError(`sysctl ${name} does not exist`)
  }
  const { stdout, stderr, retcode } = await runProgram(call, ['sysctl', '-w', `${name}=${pythonStr(value)}`])
  const [told, now] = [stdout.slice(0, stdout.indexOf(' = ')), stdout.slice(stdout.indexOf(' = ') + 3)]
  if (told !== name || now !== pythonStr(value) || stderr.includes('Invalid argument')) {
    throw new CommandExecutionError(`sysctl -w failed: ${retcode !== 0 && stderr !== '' ? stderr : stdout}`)
  }
  return { [told]: now }
}

async function persist(args: Arguments, call: Call): Promise<Value> {
  const [name, value] = [args.text('name'), args.value('value')]
  const file = args.textIfAny('config') ?? (await defaultConfig())
  const line = `${name} = ${pythonStr(value)}\n`
  let isThere = false
  const next: string[] = []
  for (const old of fileLines(await textOf(file))) {
    const [key, text = ''] = settingOf(old) ?? []
    if (key !== name) {
      next.push(old)
      continue
    }
    if (plain(text) === plain(pythonStr(value))) {
      if (plain(await valueNow(name, call)) === plain(pythonStr(value))) return 'Already set'
      await assign(name, value, call)
      return 'Updated'
    }
    isThere = true
    next.push(line)
  }
  if (!isThere) next.push(line)
  await mkdir(dirname(file), { recursive: true })
  await writeWhole(file, next.join(''))
  await assign(name, value, call)
  return 'Updated'
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readTextIfThere(file)) ?? '#\n# Kernel sysctl configuration\n#\n'
  } catch (error) {
    throw new CommandExecutionError(`Could not read from file: ${file}`, error)
  }
}

const asking = { readOnly: true }

/** Salt's `sysctl` module. */
export const sysctl: ExecutionModule = {
  name: 'sysctl',
  file: 'linux_sysctl',
  functions: {
    default_config: define(
      '',
      `Return the file that parameters are kept in.${examples("brine '*' sysctl.default_config")}`,
      () => defaultConfig(),
      asking,
    ),
    show: define(
      'config_file=False',
      `Return all parameters as they are, or those kept in a file.${examples("brine '*' sysctl.show", "brine '*' sysctl.show config_file=/etc/sysctl.conf")}`,
      show,
      asking,
    ),
    get: define(
      'name',
      `Return a parameter as it is.${examples("brine '*' sysctl.get net.ipv4.ip_forward")}`,
      (args, call) => valueNow(args.text('name'), call),
      asking,
    ),
    assign: define(
      'name, value',
      `Set a parameter until the next boot.${examples("brine '*' sysctl.assign net.ipv4.ip_forward 1")}`,
      (args, call) => assign(args.text('name'), args.value('value'), call),
    ),
    persist: define(
      'name, value, config=None',
      `Set a parameter now and in the file. Returns \`\`Updated\`\` or \`\`Already set\`\`.${examples("brine '*' sysctl.persist net.ipv4.ip_forward 1")}`,
      persist,
    ),
  },
}
