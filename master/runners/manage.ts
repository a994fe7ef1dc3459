// The `manage` runner: who is up, who is down, who is connected.
import type { MinionId } from '../../core/event/event.ts'
import { isList, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import { literalGlob } from '../key-glob.ts'
import type { Keys } from '../keys.ts'
import type { KeyRing, MinionStore } from '../ports.ts'
import type { Presence } from '../presence.ts'
import { type MasterFunction, type RunContext, RunError } from '../run.ts'
import { readOnly } from './read-only.ts'
import { docOf } from './runner-doc.ts'
import { versionTable } from './versions.ts'

/** What the runner is made from. */
export interface ManageNeeds {
  readonly keys: KeyRing
  readonly minions: MinionStore
  readonly execute: Execute
  readonly presence: Presence
  readonly timeout: number
  readonly version: string
  /** Deletes keys, for `manage.down removekeys=True`. */
  readonly keyring: Pick<Keys, 'delete'>
}

const targetParams = [
  { name: 'tgt', default: '*' },
  { name: 'tgt_type', default: 'glob' },
  { name: 'timeout', default: null },
  { name: 'gather_job_timeout', default: null },
]
const presenceParams = [
  { name: 'subset', default: null },
  { name: 'show_ip', default: false },
]

/** The names under which Salt tells who is connected; over ZeroMQ all mean the same, and here. */
const looks = ['list_state', 'present', 'joined', 'allowed', 'alived', 'reaped']

type Named = Readonly<Record<string, Value>>

/** Functions of the `manage` runner. */
export function manageRunner(needs: ManageNeeds): Record<string, MasterFunction> {
  /** Pings the target; a minion that is not connected is not waited for. */
  const ping = async (named: Named, { print }: Terminal, fun = 'test.ping'): Promise<Pinged> => {
    const present = new Set(await needs.presence.present())
    const { minions, returns } = await needs.execute({
      tgt: named.tgt ?? '*',
      tgtType: pythonStr(named.tgt_type ?? 'glob'),
      fun,
      timeout: typeof named.timeout === 'number' ? named.timeout : needs.timeout,
      waitFor: (id) => present.has(id),
      print,
    })
    return { minions, returns }
  }
  const down = async (named: Named, terminal: Terminal): Promise<MinionId[]> => {
    const { minions, returns } = await ping(named, terminal)
    return minions.filter((id) => !returns.has(id)).sort()
  }
  const up = async (named: Named, terminal: Terminal): Promise<MinionId[]> =>
    [...(await ping(named, terminal)).returns.keys()].sort()

  const connected = async ({ subset = null, show_ip: withAddresses = false }: Named): Promise<Value> => {
    const present = (await needs.presence.present()).filter((id) => isWanted(subset, id)).sort()
    return pythonTruth(withAddresses) ? addressesOf(present, needs.minions) : present
  }
  const away = async ({ subset = null }: Named): Promise<Value> => {
    const present = new Set(await needs.presence.present())
    return (await needs.keys.list())
      .filter(({ id, current }) => current?.state === 'accepted' && !present.has(id) && isWanted(subset, id))
      .map(({ id }) => id)
      .sort()
  }
  const opposite = (name: string): string => (name === 'list_state' ? 'list_not_state' : `not_${name}`)

  return {
    'manage.status': readOnly(
      [{ name: 'output', default: true }, ...targetParams],
      'Print the status of all known salt minions',
      ['manage.status', 'manage.status tgt="webservers" tgt_type="nodegroup"', 'manage.status timeout=5'],
      async ({ named }, terminal) => {
        const { minions, returns } = await ping(named, terminal)
        return { up: [...returns.keys()].sort(), down: minions.filter((id) => !returns.has(id)).sort() }
      },
    ),
    'manage.up': readOnly(
      targetParams,
      'Print a list of all of the minions that are up',
      ['manage.up', 'manage.up tgt="webservers" tgt_type="nodegroup"'],
      ({ named }, terminal) => up(named, terminal),
    ),
    'manage.down': {
      signature: { params: [{ name: 'removekeys', default: false }, ...targetParams] },
      doc: docOf(
        `Print a list of all the down or unresponsive salt minions; with removekeys=True delete their keys, and with
    them the jobs that wait for them`,
        ['manage.down', 'manage.down removekeys=True', 'manage.down tgt="webservers" tgt_type="nodegroup"'],
      ),
      async run({ named }, context) {
        const silent = await down(named, context)
        if (pythonTruth(named.removekeys ?? false)) await needs.keyring.delete(silent.map(literalGlob), context.user)
        return silent
      },
    },
    ...Object.fromEntries(
      looks.flatMap((name) => [
        [
          `manage.${name}`,
          readOnly(
            presenceParams,
            `Print a list of all minions that are connected; no commands are sent to them. With show_ip=True each with the
    address its grains tell`,
            [`manage.${name}`, `manage.${name} subset='["web1", "web2"]'`],
            ({ named }) => connected(named),
          ),
        ],
        [
          `manage.${opposite(name)}`,
          readOnly(
            presenceParams,
            'Print a list of all accepted minions that are not connected; no commands are sent to them',
            [`manage.${opposite(name)}`],
            ({ named }) => away(named),
          ),
        ],
      ]),
    ),
    'manage.versions': readOnly(
      [],
      'Check the version of active minions: the Salt that they speak like, and where that is the master’s Brine’s own',
      ['manage.versions'],
      async (_, terminal) => {
        const { returns } = await ping({}, terminal, 'test.version')
        const known = new Map((await needs.minions.all()).map((minion) => [minion.id, minion.version]))
        const minions = [...returns].map(([id, load]) => ({
          id,
          salt: typeof load.return === 'string' && (load.retcode ?? 0) === 0 ? load.return : (false as const),
          brine: known.get(id),
        }))
        return versionTable(minions, needs.version)
      },
    ),
    ...refused,
  }
}

type Terminal = Pick<RunContext, 'print'>

interface Pinged {
  readonly minions: readonly MinionId[]
  readonly returns: ReadonlyMap<MinionId, Mapping>
}

function isWanted(subset: Value, id: MinionId): boolean {
  if (subset === null) return true
  return (isList(subset) ? subset.map(pythonStr) : pythonStr(subset).split(',')).includes(id)
}

/** The first address of each that other machines can reach. */
async function addressesOf(ids: readonly MinionId[], minions: MinionStore): Promise<Mapping> {
  const known = new Map((await minions.all()).map(({ id, grains }) => [id, grains]))
  return Object.fromEntries(
    ids.map((id) => {
      const grains = known.get(id) ?? {}
      const all = [grains.ipv4, grains.ipv6].flatMap((list) => (isList(list ?? null) ? (list as Value[]) : []))
      return [id, all.map(pythonStr).find((address) => !/^(127\.|::1$|fe80)/.test(address)) ?? null]
    }),
  )
}

/** What Salt does over SSH or to every key at once: refused by name, with what to do instead. */
const refused: Record<string, MasterFunction> = Object.fromEntries(
  Object.entries({
    safe_accept: [
      'compares a key with the one that the machine shows over SSH, and Brine has no salt-ssh.',
      'Compare by hand: `brine-call --local key.finger` on the machine, `brine-key -f NAME` here; an EC2 instance proves which one it is (wheel key.identity).',
    ],
    bootstrap: [
      'installs minions over SSH, and Brine has no salt-ssh.',
      'Install the package by your own means (docs/aws.md has the user data of an instance), then `brine-key -a NAME`.',
    ],
    bootstrap_psexec: [
      'installs minions on Windows, where Brine’s minion does not run.',
      'Install a minion on a machine with Linux, then `brine-key -a NAME`.',
    ],
    key_regen: [
      'makes every minion forget its key and its master at once.',
      'Renew keys one by one: `brine NAME saltutil.regen_keys`, then `brine-key -d NAME` and `brine-key -a NAME`.',
    ],
  }).map(([name, [what = '', instead = '']]): [string, MasterFunction] => [
    `manage.${name}`,
    {
      signature: { params: [], varArgs: true, varKwargs: true },
      doc: docOf(`Refused: it ${what} ${instead}`, [`manage.${name}`]),
      async run() {
        throw new RunError(`manage.${name} ${what} ${instead}`)
      },
    },
  ]),
)
