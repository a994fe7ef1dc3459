// Services, by systemd's systemctl.
import { constants, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { matchTag } from '../../core/event/tag-glob.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { lstatOf, mayAccess } from '../filesystem/paths.ts'
import type { Arguments } from './arguments.ts'
import { type CommandResult, needProgram } from './cmd-run.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { type ProgramOptions, runProgram } from './program.ts'
import { bootFunctions } from './service-boot.ts'

const unitTypes = ['service', 'socket', 'device', 'mount', 'automount', 'swap', 'target', 'path', 'timer']
const unitDirectories = ['/lib/systemd/system', '/usr/lib/systemd/system', '/etc/systemd/system']

/** `apache2` as systemd calls it: `apache2.service`. */
function unitName(name: string): string {
  return unitTypes.some((type) => name.endsWith(`.${type}`)) ? name : `${name}.service`
}

/** `ssh` of `ssh.service`, `cron.timer` as it is; undefined for what is no unit. */
function serviceName(unit: string): string | undefined {
  const dot = unit.lastIndexOf('.')
  const type = unit.slice(dot + 1)
  if (dot < 0 || !unitTypes.includes(type)) return undefined
  return type === 'service' ? unit.slice(0, dot) : unit
}

async function systemctl(
  call: Call,
  words: readonly string[],
  name?: string,
  options: ProgramOptions = {},
): Promise<CommandResult> {
  await needProgram('systemctl')
  return runProgram(call, ['systemctl', ...words, ...(name === undefined ? [] : [unitName(name)])], options)
}

const rooted = (args: Arguments): string[] => {
  const root = args.textIfAny('root')
  return root === undefined ? [] : ['--root', root]
}

async function statusOf(call: Call, name: string): Promise<CommandResult> {
  return systemctl(call, ['status', unitName(name), '-n', '0'], undefined, { merge: true })
}

/** Whether systemd knows the unit. A unit file that has come or changed since is read first. */
async function isAvailable(call: Call, name: string): Promise<boolean> {
  const before = await statusOf(call, name)
  if (!(await hasChanged(name, before))) return isKnown(before)
  await reload(call)
  return isKnown(await statusOf(call, name))
}

function isKnown({ retcode }: CommandResult): boolean {
  return retcode >= 0 && retcode < 4
}

/** Has systemd read a unit file anew that has come or changed since it last did. */
async function noticeChanges(call: Call, name: string): Promise<void> {
  if (await hasChanged(name, await statusOf(call, name))) await reload(call)
}

async function hasChanged(name: string, status: CommandResult): Promise<boolean> {
  if (status.stdout.toLowerCase().includes("'systemctl daemon-reload'")) return true
  return !isKnown(status) && (await mayAccess(join('/etc/systemd/system', unitName(name)), constants.R_OK))
}

async function reload(call: Call): Promise<boolean> {
  const result = await systemctl(call, ['--system', 'daemon-reload'], undefined, { merge: true, tellsJob: true })
  if (result.retcode !== 0)
    throw new CommandExecutionError(`Problem performing systemctl daemon-reload: ${result.stdout}`)
  return true
}

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => [])

/** Every unit file of the usual directories, and the init scripts beside them. */
async function allServices(root = '/'): Promise<string[]> {
  const units = new Set<string>()
  for (const directory of unitDirectories) {
    const path = join(root, directory)
    const found = await lstatOf(path)
    if (found === undefined || found.isSymbolicLink()) continue
    for (const unit of await namesIn(path)) {
      const name = serviceName(unit)
      if (name !== undefined) units.add(name)
    }
  }
  for (const script of await namesIn(join(root, '/etc/init.d'))) {
    if (await mayAccess(join(root, '/etc/init.d', script), constants.X_OK)) units.add(script)
  }
  return [...units].sort()
}

async function unitsIn(call: Call, args: Arguments, state: string): Promise<string[]> {
  const words = ['--full', '--no-legend', '--no-pager', 'list-unit-files', ...rooted(args)]
  const { stdout } = await systemctl(call, words)
  const found = stdout.split('\n').flatMap((line) => {
    const [unit = '', unitState] = line.trim().split(/\s+/)
    return unitState === state ? (serviceName(unit) ?? []) : []
  })
  return [...new Set(found)].sort()
}

async function running(call: Call): Promise<string[]> {
  const { stdout } = await systemctl(call, ['--full', '--no-legend', '--no-pager'])
  const found = stdout.split('\n').flatMap((line) => {
    const words = line.replace(/^[●*\s]+/, '').split(/\s+/)
    return words[3] === 'running' ? (serviceName(words[0] ?? '') ?? []) : []
  })
  return [...new Set(found)].sort()
}

async function isMasked(name: string, runtime: boolean, root = '/'): Promise<boolean> {
  const link = join(root, runtime ? '/run' : '/etc', 'systemd/system', unitName(name))
  return readlink(link).then(
    (to) => to === '/dev/null',
    () => false,
  )
}

async function setMask(call: Call, args: Arguments, verb: 'mask' | 'unmask', runtime: boolean): Promise<boolean> {
  const name = args.text('name')
  await noticeChanges(call, name)
  if (verb === 'unmask' && !(await isMasked(name, runtime, args.textIfAny('root')))) return true
  const words = [verb, ...(runtime ? ['--runtime'] : []), ...rooted(args)]
  const result = await systemctl(call, words, name, { merge: true, tellsJob: true })
  if (result.retcode !== 0) {
    const more = result.stdout === '' || verb === 'unmask' ? '' : `. Additional info follows:\n\n${result.stdout}`
    throw new CommandExecutionError(`Failed to ${verb} service '${name}'${more}`)
  }
  return true
}

/** Words of `systemd-run --scope` are none of the service's. */
function ownWords(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.endsWith('.scope'))
    .join('\n')
    .trim()
}

/** start, restart, reload, force-reload: true, or systemd's words are thrown. */
function act(verb: string): (args: Arguments, call: Call) => Promise<boolean> {
  return async (args, call) => {
    const name = args.text('name')
    await noticeChanges(call, name)
    if (args.is('unmask')) await setMask(call, args, 'unmask', false)
    if (args.is('unmask_runtime')) await setMask(call, args, 'unmask', true)
    const noBlock = args.is('no_block') || (args.value('no_block') === null && isOwnService(name) && verb === 'restart')
    const result = await systemctl(call, [...(noBlock ? ['--no-block'] : []), verb], name, { tellsJob: true })
    if (result.retcode !== 0) throw new CommandExecutionError(ownWords(result.stderr))
    return true
  }
}

/** The minion's own: to wait for its end would be to wait for one's own. */
function isOwnService(name: string): boolean {
  return ['salt-minion.service', 'brine-minion.service'].includes(unitName(name))
}

async function stop(args: Arguments, call: Call): Promise<boolean> {
  const name = args.text('name')
  await noticeChanges(call, name)
  const noBlock = args.is('no_block') || (args.value('no_block') === null && isOwnService(name))
  const result = await systemctl(call, [...(noBlock ? ['--no-block'] : []), 'stop'], name, { tellsJob: true })
  return result.retcode === 0
}

async function status(args: Arguments, call: Call): Promise<Value> {
  const name = args.text('name')
  const isActive = async (service: string): Promise<boolean> =>
    (await systemctl(call, ['is-active'], service)).retcode === 0
  if (!/[*?]|\[.+\]/.test(name)) {
    await noticeChanges(call, name)
    return isActive(name)
  }
  const found: Mapping = {}
  for (const service of await allServices()) if (matchTag(name, service)) found[service] = await isActive(service)
  return found
}

async function enable(args: Arguments, call: Call): Promise<boolean> {
  const name = args.text('name')
  await noticeChanges(call, name)
  if (args.is('unmask')) await setMask(call, args, 'unmask', false)
  if (args.is('unmask_runtime')) await setMask(call, args, 'unmask', true)
  const result = await systemctl(call, ['enable', ...rooted(args)], name)
  if (result.retcode !== 0) throw new CommandExecutionError(ownWords(result.stderr))
  return true
}

async function isEnabled(args: Arguments, call: Call): Promise<boolean> {
  const name = args.text('name')
  const { retcode, stdout } = await systemctl(call, ['is-enabled', ...rooted(args)], name)
  if (stdout !== 'alias') return retcode === 0
  const real = await systemctl(call, ['show', ...rooted(args), unitName(name), '-P', 'Id'])
  return (await systemctl(call, ['is-enabled', ...rooted(args)], real.stdout)).retcode === 0
}

async function show(call: Call, name: string, root: readonly string[]): Promise<Mapping> {
  const { stdout } = await systemctl(call, ['show', ...root], name, { tellsJob: true })
  const told: Mapping = {}
  for (const line of stdout.split('\n')) {
    const [key = '', ...rest] = line.split('=')
    const value = rest.join('=')
    if (value.startsWith('{')) {
      const pairs = value.replace(/[{}]/g, '').split(' ; ')
      told[key] = Object.fromEntries(
        pairs.map((pair) => pair.split('=').map((word) => word.trim())).map(([one = '', other = '']) => [one, other]),
      )
    } else
      told[key] = ['Before', 'After', 'Wants'].includes(key) ? value.split(/\s+/).filter((word) => word !== '') : value
  }
  return told
}

async function execs(args: Arguments, call: Call): Promise<Mapping> {
  const told: Mapping = {}
  for (const service of await allServices(args.textIfAny('root'))) {
    const { ExecStart: start = null } = await show(call, service, rooted(args))
    if (isMapping(start)) told[service] = pythonStr(start.path ?? '')
  }
  return told
}

const nameDoc = `

name
    The service; \`\`.service\`\` need not be said.`
const blockDoc = `${nameDoc}
no_block
    Do not wait until it is done.`
const maskDoc = `${blockDoc}
unmask, unmask_runtime
    Take away a mask first.`

/** Salt's `service` module. */
export const service: ExecutionModule = {
  name: 'service',
  file: 'systemd_service',
  functions: {
    ...bootFunctions,
    start: define(
      'name, no_block=False, unmask=False, unmask_runtime=False',
      `Start a service.${maskDoc}${examples("brine '*' service.start apache2")}`,
      act('start'),
    ),
    stop: define(
      'name, no_block=None',
      `Stop a service. Returns whether that went well.${blockDoc}${examples("brine '*' service.stop apache2")}`,
      stop,
    ),
    restart: define(
      'name, no_block=None, unmask=False, unmask_runtime=False',
      `Restart a service.${maskDoc}${examples("brine '*' service.restart apache2")}`,
      act('restart'),
    ),
    reload: define(
      'name, no_block=False, unmask=False, unmask_runtime=False',
      `Have a service read its configuration anew.${maskDoc}${examples("brine '*' service.reload apache2")}`,
      act('reload'),
    ),
    force_reload: define(
      'name, no_block=True, unmask=False, unmask_runtime=False',
      `Reload a service, or restart it where it cannot reload.${maskDoc}${examples("brine '*' service.force_reload apache2")}`,
      act('force-reload'),
    ),
    status: define(
      'name, sig=None, wait=3',
      `Return whether a service runs. A shell pattern returns it by name for all that match.${nameDoc}${examples("brine '*' service.status apache2", "brine '*' service.status 'apache*'")}`,
      status,
      { readOnly: true },
    ),
    enable: define(
      'name, no_block=False, unmask=False, unmask_runtime=False, root=None, **kwargs',
      `Have a service started at boot.${maskDoc}${examples("brine '*' service.enable apache2")}`,
      enable,
    ),
    disable: define(
      'name, no_block=False, root=None, **kwargs',
      `Have a service not started at boot. Returns whether that went well.${nameDoc}${examples("brine '*' service.disable apache2")}`,
      async (args, call) => {
        await noticeChanges(call, args.text('name'))
        return (await systemctl(call, ['disable', ...rooted(args)], args.text('name'))).retcode === 0
      },
    ),
    enabled: define(
      'name, root=None, **kwargs',
      `Return whether a service is started at boot.${nameDoc}${examples("brine '*' service.enabled apache2")}`,
      isEnabled,
      { readOnly: true },
    ),
    disabled: define(
      'name, root=None',
      `Return whether a service is not started at boot.${nameDoc}${examples("brine '*' service.disabled apache2")}`,
      async (args, call) => !(await isEnabled(args, call)),
      { readOnly: true },
    ),
    available: define(
      'name',
      `Return whether there is such a service.${nameDoc}${examples("brine '*' service.available sshd")}`,
      (args, call) => isAvailable(call, args.text('name')),
      { readOnly: true },
    ),
    missing: define(
      'name',
      `Return whether there is no such service.${nameDoc}${examples("brine '*' service.missing sshd")}`,
      async (args, call) => !(await isAvailable(call, args.text('name'))),
      { readOnly: true },
    ),
    mask: define(
      'name, runtime=False, root=None',
      `Mask a service: it cannot be started.${nameDoc}
runtime
    Until the next boot only.${examples("brine '*' service.mask foo", "brine '*' service.mask foo runtime=True")}`,
      (args, call) => setMask(call, args, 'mask', args.is('runtime')),
    ),
    unmask: define(
      'name, runtime=False, root=None',
      `Take a service's mask away.${nameDoc}
runtime
    The mask until the next boot, not the lasting one.${examples("brine '*' service.unmask foo")}`,
      (args, call) => setMask(call, args, 'unmask', args.is('runtime')),
    ),
    masked: define(
      'name, runtime=False, root=None',
      `Return whether a service is masked.${nameDoc}
runtime
    Ask for the mask until the next boot.${examples("brine '*' service.masked foo", "brine '*' service.masked foo runtime=True")}`,
      (args) => isMasked(args.text('name'), args.is('runtime'), args.textIfAny('root')),
      { readOnly: true },
    ),
    get_all: define(
      'root=None',
      `List all services.${examples("brine '*' service.get_all")}`,
      (args) => allServices(args.textIfAny('root')),
      { readOnly: true },
    ),
    get_running: define(
      '',
      `List the services that run.${examples("brine '*' service.get_running")}`,
      (_, call) => running(call),
      { readOnly: true },
    ),
    get_enabled: define(
      'root=None',
      `List the services that are started at boot.${examples("brine '*' service.get_enabled")}`,
      (args, call) => unitsIn(call, args, 'enabled'),
      { readOnly: true },
    ),
    get_disabled: define(
      'root=None',
      `List the services that are not started at boot.${examples("brine '*' service.get_disabled")}`,
      (args, call) => unitsIn(call, args, 'disabled'),
      { readOnly: true },
    ),
    get_static: define(
      'root=None',
      `List the services that cannot be enabled, since others ask for them.${examples("brine '*' service.get_static")}`,
      (args, call) => unitsIn(call, args, 'static'),
      { readOnly: true },
    ),
    show: define(
      'name, root=None',
      `Return the properties of a service.${nameDoc}${examples("brine '*' service.show apache2")}`,
      (args, call) => show(call, args.text('name'), rooted(args)),
      { readOnly: true },
    ),
    execs: define('root=None', `Return the program of every service.${examples("brine '*' service.execs")}`, execs, {
      readOnly: true,
    }),
    systemctl_reload: define(
      '',
      `Have systemd read its unit files anew.${examples("brine '*' service.systemctl_reload")}`,
      (_, call) => reload(call),
    ),
  },
}
