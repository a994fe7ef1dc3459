// Salt's `ssh_known_hosts` states: hosts whose keys are known.
import { isAbsolute } from 'node:path'
import { isList, isMapping, type Mapping, pythonStr } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

const configOf = (args: Arguments): string =>
  args.textIfAny('config') ?? (args.is('user') ? '.ssh/known_hosts' : '/etc/ssh/ssh_known_hosts')

const nowhere = 'If not specifying a "user", specify an absolute "config".'

async function foreseen(name: string, config: string, args: Arguments, call: StateCall): Promise<StateReturn> {
  if (args.is('key') && args.is('fingerprint')) return wrong(name, 'Specify either "key" or "fingerprint", not both.')
  if (args.is('key') && !args.is('enc')) return wrong(name, 'Required argument "enc" if using "key" argument.')
  const words = args.given(['key', 'fingerprint', 'port', 'fingerprint_hash_type'])
  const told = await call.salt('ssh.check_known_host', [args.value('user'), name], { ...words, config })
  if (isMapping(told)) return wrong(name, pythonStr(told.error ?? ''))
  if (told === 'exists') return fine(name, `Host ${name} is already in ${config}`)
  const what = told === 'add' ? 'added to' : 'updated in'
  return would(name, `Key for ${name} is set to be ${what} ${config}`)
}

async function present(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const config = configOf(args)
  if (!args.is('user') && !isAbsolute(config)) return wrong(name, nowhere)
  if (call.test) return foreseen(name, config, args, call)
  const told = await call.salt('ssh.set_known_host', [], {
    ...args.given(['user', 'fingerprint', 'key', 'port', 'enc', 'timeout', 'fingerprint_hash_type']),
    hostname: name,
    config,
    hash_known_hosts: args.value('hash_known_hosts'),
  })
  const result: Mapping = isMapping(told) ? told : {}
  if (result.status === 'exists') return fine(name, `${name} already exists in ${config}`)
  if (result.status === 'error') return wrong(name, pythonStr(result.error ?? ''))
  const [first] = isList(result.new ?? null) ? (result.new as Mapping[]) : []
  const field = (key: string): string => pythonStr(first?.[key] ?? '')
  const changes = { old: result.old ?? null, new: result.new ?? null }
  if (args.is('key')) return fine(name, `${name}'s key saved to ${config} (key: ${field('key')})`, changes)
  if (args.is('fingerprint'))
    return fine(name, `${name}'s key saved to ${config} (fingerprint: ${field('fingerprint')})`, changes)
  if (args.is('enc'))
    return fine(name, `${name}'s ${args.text('enc')} key saved to ${config} (key: ${field('key')})`, changes)
  return fine(name, `${name}'s key(s) saved to ${config}`, changes)
}

async function absent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const config = configOf(args)
  if (!args.is('user') && !isAbsolute(config)) return wrong(name, nowhere)
  const known = await call.salt('ssh.get_known_host_entries', [], { user: args.value('user'), hostname: name, config })
  if (known === null) return fine(name, 'Host is already absent')
  if (call.test) return would(name, `Key for ${name} is set to be removed from ${config}`)
  const told = await call.salt('ssh.rm_known_host', [], { user: args.value('user'), hostname: name, config })
  const { status, error = '', comment = '' } = isMapping(told) ? told : {}
  if (status === 'error') return wrong(name, pythonStr(error))
  return fine(name, pythonStr(comment), { old: known, new: null })
}

const doc = `

name
    The host.
user, config
    Who knows it, in \`\`.ssh/known_hosts\`\`; without a user all do, in \`\`/etc/ssh/ssh_known_hosts\`\`; or another file.`

/** Salt's `ssh_known_hosts` states. */
export const sshKnownHosts: StateModule = {
  name: 'ssh_known_hosts',
  functions: {
    present: defineState(
      'name, user=None, fingerprint=None, key=None, port=None, enc=None, config=None, hash_known_hosts=True, timeout=5, fingerprint_hash_type=None',
      `A host's key is known.${doc}
key, enc
    The key and its kind; without one the host is asked.
fingerprint, fingerprint_hash_type
    One of the keys that the host tells has to have it; by which digest, \`\`sha256\`\` unless another is named.
port, timeout
    Where the host is asked, and for how many seconds.
hash_known_hosts
    Hide the host's name.${slsExample(`
github.com:
  ssh_known_hosts.present:
    - user: root
    - fingerprint: b8:d8:95:ce:d9:2c:0a:c0:e1:71:cd:2e:f5:ef:01:ba:34:17:55:4a:4a:64:80:d3:31:cc:c2:be:3d:ed:0f:6b
    - enc: ecdsa`)}`,
      present,
    ),
    absent: defineState(
      'name, user=None, config=None',
      `A host's key is not known.${doc}${slsExample(`
github.com:
  ssh_known_hosts.absent:
    - user: root`)}`,
      absent,
    ),
  },
}
