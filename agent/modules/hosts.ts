// The hosts file: names of addresses.
import { pythonStr, type Value } from '../../core/value/index.ts'
import { isRegularFile } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { fileLines } from '../filesystem/text.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

interface Host {
  readonly aliases: string[]
  comment?: string
}

/** Addresses in their order, and lines of comments between them. */
type Hosts = Map<string, Host | readonly string[]>

/** The option `hosts.file`. */
function placeOf({ agent }: Call): string {
  const place = agent.opts['hosts.file']
  return typeof place === 'string' && place !== '' ? place : '/etc/hosts'
}

async function textOf(call: Call): Promise<string> {
  return (await readTextIfThere(placeOf(call))) ?? ''
}

const isComment = (line: string): boolean => line.trim() === '' || line.trim().startsWith('#')

/** Whether an entry is an address, no line of comments. */
const isHost = (entry: Host | readonly string[]): entry is Host => 'aliases' in entry

const hostAt = (hosts: Hosts, ip: string): Host | undefined => {
  const found = hosts.get(ip)
  return found !== undefined && isHost(found) ? found : undefined
}

function hostsIn(text: string): Hosts {
  const hosts: Hosts = new Map()
  let comments = 0
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line === '') continue
    if (line.startsWith('#')) {
      hosts.set(`comment-${comments++}`, [line])
      continue
    }
    const mark = line.indexOf('#')
    const comment = mark < 0 ? '' : line.slice(mark + 1).trimStart()
    const [ip = '', ...names] = (mark < 0 ? line : line.slice(0, mark)).trim().split(/\s+/)
    const host = hostAt(hosts, ip) ?? { aliases: [] }
    host.aliases.push(...names)
    if (comment !== '') host.comment = comment
    hosts.set(ip, host)
  }
  return hosts
}

const hostsOf = async (call: Call): Promise<Hosts> => hostsIn(await textOf(call))

async function writeHosts(hosts: Hosts, call: Call): Promise<void> {
  const lines = [...hosts].map(([ip, entry]) => {
    if (!isHost(entry)) return entry.join('')
    const { aliases, comment } = entry
    return `${ip}\t\t${aliases.join(' ')}${comment === undefined ? '' : `\t\t# ${comment}`}`
  })
  await writeWhole(placeOf(call), lines.map((line) => `${line.trim()}\n`).join(''))
}

async function listHosts(_: Arguments, call: Call): Promise<Value> {
  const told = [...(await hostsOf(call))].map(([ip, entry]) => [ip, isHost(entry) ? { ...entry } : [...entry]])
  return Object.fromEntries(told) as Value
}

function hasPair(hosts: Hosts, args: Arguments): boolean {
  const host = hostAt(hosts, args.text('ip'))
  const alias = args.value('alias')
  const wanted = Array.isArray(alias) ? alias.map(pythonStr) : [pythonStr(alias)]
  return host !== undefined && wanted.every((one) => host.aliases.includes(one))
}

/** The address of a line; undefined of an empty line and a comment. */
const addressOf = (line: string): string | undefined => (isComment(line) ? undefined : line.trim().split(/\s+/)[0])

async function setHost(args: Arguments, call: Call): Promise<Value> {
  const [ip, alias, comment] = [args.text('ip'), args.text('alias'), args.textIfAny('comment')]
  const line = alias.trim() === '' ? '' : `${ip}\t\t${alias}${comment === undefined ? '' : `\t\t# ${comment}`}\n`
  let isSet = false
  const lines = fileLines(await textOf(call)).map((old) => {
    if (addressOf(old) !== ip) return old
    const first = !isSet
    isSet = true
    return first ? line : ''
  })
  const text = lines.join('')
  const gap = isSet || text === '' || text.endsWith('\n') ? '' : '\n'
  await writeWhole(placeOf(call), isSet ? text : `${text}${gap}${line}`)
  return true
}

async function removeHost(args: Arguments, call: Call): Promise<Value> {
  const [ip, alias] = [args.text('ip'), args.text('alias')]
  const text = await textOf(call)
  if (!hasPair(hostsIn(text), args)) return true
  const lines = fileLines(text).map((old) => {
    if (addressOf(old) !== ip) return old
    const [before = '', ...after] = old.trim().split('#')
    const names = before
      .trim()
      .split(/\s+/)
      .slice(1)
      .filter((name) => name !== alias)
    if (names.length === 0) return ''
    const comment = after.join('#').trim()
    // As in Salt, a blank stands behind every name.
    return `${ip}\t\t${names.map((name) => `${name} `).join('')}${comment === '' ? '' : `# ${comment}`}\n`
  })
  await writeWhole(placeOf(call), lines.join(''))
  return true
}

async function addHost(args: Arguments, call: Call): Promise<Value> {
  const text = await textOf(call)
  if (text !== '' && !(await isRegularFile(placeOf(call)))) return false
  const hosts = hostsIn(text)
  if (hasPair(hosts, args)) return true
  const [ip, alias] = [args.text('ip'), args.text('alias')]
  const host = hostAt(hosts, ip) ?? { aliases: [] }
  host.aliases.push(alias)
  hosts.set(ip, host)
  await writeHosts(hosts, call)
  return true
}

async function setComment(args: Arguments, call: Call): Promise<Value> {
  const hosts = await hostsOf(call)
  const host = hostAt(hosts, args.text('ip'))
  if (host === undefined) return false
  if (host.comment === args.text('comment')) return true
  host.comment = args.text('comment')
  await writeHosts(hosts, call)
  return true
}

const asking = { readOnly: true }

/** Salt's `hosts` module. */
export const hosts: ExecutionModule = {
  name: 'hosts',
  file: 'hosts',
  functions: {
    list_hosts: define(
      '',
      `Return the hosts file: addresses with their names and comments.${examples("brine '*' hosts.list_hosts")}`,
      listHosts,
      asking,
    ),
    get_ip: define(
      'host',
      `Return the address of a name, or an empty text.${examples("brine '*' hosts.get_ip <hostname>")}`,
      async (args, call) => {
        const found = [...(await hostsOf(call))].find(
          ([, entry]) => isHost(entry) && entry.aliases.includes(args.text('host')),
        )
        return found?.[0] ?? ''
      },
      asking,
    ),
    get_alias: define(
      'ip',
      `Return the names of an address.${examples("brine '*' hosts.get_alias <ip addr>")}`,
      async (args, call) => [...(hostAt(await hostsOf(call), args.text('ip'))?.aliases ?? [])],
      asking,
    ),
    has_pair: define(
      'ip, alias',
      `Whether an address has a name, or all of a list.${examples("brine '*' hosts.has_pair <ip> <alias>")}`,
      async (args, call) => hasPair(await hostsOf(call), args),
      asking,
    ),
    set_host: define(
      'ip, alias, comment=None',
      `Give an address these names and no others; with an empty text it is removed.${examples("brine '*' hosts.set_host <ip> <alias>")}`,
      setHost,
    ),
    rm_host: define(
      'ip, alias',
      `Take a name from an address.${examples("brine '*' hosts.rm_host <ip> <alias>")}`,
      removeHost,
    ),
    add_host: define(
      'ip, alias',
      `Give an address a further name.${examples("brine '*' hosts.add_host <ip> <alias>")}`,
      addHost,
    ),
    set_comment: define(
      'ip, comment',
      `Set the comment of an address. False where the file has no such address.${examples("brine '*' hosts.set_comment <ip> <comment>")}`,
      setComment,
    ),
  },
}
