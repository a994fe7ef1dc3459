// The `manage` runner: who is up, who is down.
import type { MinionId } from '../../core/event/event.ts'
import { isMapping, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { KeyRing } from '../ports.ts'
import type { Presence } from '../presence.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { docOf } from './runner-doc.ts'

interface ManageNeeds {
  readonly keys: KeyRing
  readonly execute: Execute
  readonly presence: Presence
  readonly timeout: number
  readonly version: string
}

const targetParams = [
  { name: 'tgt', default: '*' },
  { name: 'tgt_type', default: 'glob' },
  { name: 'timeout', default: null },
  { name: 'gather_job_timeout', default: null },
]

/** Functions of the `manage` runner. */
export function manageRunner(needs: ManageNeeds): Record<string, MasterFunction> {
  const accepted = async (): Promise<MinionId[]> =>
    (await needs.keys.list())
      .filter(({ current }) => current?.state === 'accepted')
      .map(({ id }) => id)
      .sort()

  /** Pings the target; a minion that is not connected is not waited for. */
  const ping = async (
    named: Readonly<Record<string, Value>>,
    fun = 'test.ping',
  ): Promise<{ minions: readonly MinionId[]; returns: ReadonlyMap<MinionId, Value> }> => {
    const present = new Set(await needs.presence.present())
    const { minions, returns } = await needs.execute({
      tgt: named.tgt ?? '*',
      tgtType: String(named.tgt_type ?? 'glob'),
      fun,
      timeout: typeof named.timeout === 'number' ? named.timeout : needs.timeout,
      waitFor: (id) => present.has(id),
    })
    return { minions, returns: new Map([...returns].map(([id, load]) => [id, load.return ?? null])) }
  }

  const list = (
    doc: string,
    which: (named: Readonly<Record<string, Value>>) => Promise<Value>,
    params = targetParams,
  ): MasterFunction => ({
    signature: { params },
    doc,
    idempotent: true,
    readOnly: true,
    run: async ({ named }) => which(named),
  })

  return {
    'manage.status': list(
      doc('Print the status of all known salt minions', 'status', 'status tgt="webservers" tgt_type="nodegroup"'),
      async (named) => {
        const { minions, returns } = await ping(named)
        return { up: [...returns.keys()].sort(), down: minions.filter((id) => !returns.has(id)).sort() }
      },
    ),
    'manage.up': list(doc('Print a list of all of the minions that are up', 'up'), async (named) =>
      [...(await ping(named)).returns.keys()].sort(),
    ),
    'manage.down': {
      signature: { params: [{ name: 'removekeys', default: false }, ...targetParams] },
      doc: doc('Print a list of all the down or unresponsive salt minions', 'down'),
      async run({ named }) {
        if (pythonTruth(named.removekeys ?? false)) {
          throw new RunError(
            'removekeys=True is not taken here, since a minion that is away keeps its jobs. Delete keys with brine-key -d.',
          )
        }
        const { minions, returns } = await ping(named)
        return minions.filter((id) => !returns.has(id)).sort()
      },
    },
    'manage.present': list(
      doc("Print a list of all minions that are connected, by the master's own knowledge", 'present'),
      async () => [...(await needs.presence.present())],
      [],
    ),
    'manage.not_present': list(doc(
      'Print a list of all accepted minions that are not connected',
      'not_present',
    ), async () => {
      const present = new Set(await needs.presence.present())
      return (await accepted()).filter((id) => !present.has(id))
    }, []),
    'manage.alived': list(
      doc('Print a list of all minions that are connected', 'alived'),
      async () => [...(await needs.presence.present())],
      [],
    ),
    'manage.not_alived': list(doc(
      'Print a list of all accepted minions that are not connected',
      'not_alived',
    ), async () => {
      const present = new Set(await needs.presence.present())
      return (await accepted()).filter((id) => !present.has(id))
    }, []),
    'manage.versions': list(doc('Check the version of active minions', 'versions'), async (named) => {
      const { returns } = await ping(named, 'test.version')
      const upToDate: Value = {}
      const others: Value = {}
      for (const [id, version] of [...returns].sort()) (version === needs.version ? upToDate : others)[id] = version
      return {
        Master: needs.version,
        ...(Object.keys(upToDate).length === 0 ? {} : { 'Up to date': upToDate }),
        ...(isMapping(others) && Object.keys(others).length > 0 ? { 'Minion differs from master': others } : {}),
      }
    }),
  }
}

function doc(what: string, ...examples: readonly string[]): string {
  return docOf(
    what,
    examples.map((example) => `manage.${example}`),
  )
}
