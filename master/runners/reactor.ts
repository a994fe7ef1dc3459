// The `reactor` runner: the configured entries, changed while the master runs; tried, explained, redriven.
import { stampOf } from '../../core/event/stamp.ts'
import { entryValue } from '../../core/sls/entry-conditions.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import type { StoredReactorSet } from '../ports.ts'
import { type MasterFunction, type RunContext, RunError } from '../run.ts'
import { type DeadNeeds, reactorDeadRunner } from './reactor-dead.ts'
import { type ExplainNeeds, reactorExplainRunner } from './reactor-explain.ts'
import { type ReactorTryNeeds, reactorTryRunner } from './reactor-try.ts'
import { docOf } from './runner-doc.ts'

/** What the runner needs. */
export interface ReactorNeeds extends ReactorTryNeeds, ExplainNeeds, DeadNeeds {}

type Entries = StoredReactorSet['entries']

/** Functions of the `reactor` runner. Changes hold at once and outlive a restart. */
export function reactorRunner(needs: ReactorNeeds): Record<string, MasterFunction> {
  /** Salt shows the request it sends over the bus before the answer, master key included; here it is shown without. */
  const ask = (context: RunContext, what: string, event: Mapping): void =>
    context.progress(`salt/reactors/manage/${what}`, { ...event, _stamp: stampOf(needs.clock.now()) })

  const edit = async (next: (entries: Entries) => Entries | undefined): Promise<boolean> => {
    for (let attempt = 0; attempt < 10; attempt++) {
      const { entries, version } = await needs.config.reactors()
      const changed = next(entries)
      if (changed === undefined) return false
      if (await needs.config.changeReactors(changed, version)) return true
    }
    throw new RunError('The reactor configuration kept changing meanwhile. Try again.')
  }

  return {
    'reactor.list': {
      signature: { params: [] },
      doc: doc('List currently configured reactors', 'list'),
      readOnly: true,
      idempotent: true,
      async run(_bound, context) {
        ask(context, 'list', {})
        const { entries } = await needs.config.reactors()
        return entries.map((entry) => ({ [entry.glob]: entryValue(entry) }))
      },
    },
    'reactor.add': {
      signature: { params: [{ name: 'event' }, { name: 'reactors' }, { name: 'saltenv', default: 'base' }] },
      doc: doc('Add a new reactor', "add 'salt/cloud/*/destroyed' reactors='/srv/reactor/destroy/*.sls'"),
      idempotent: true,
      async run({ named }, context) {
        const glob = pythonStr(named.event ?? '')
        const reactors = named.reactors ?? []
        const files = (Array.isArray(reactors) ? reactors : [reactors]).map(pythonStr)
        if (glob === '' || files.length === 0)
          throw new RunError('reactor.add takes a tag glob and at least one SLS file.')
        ask(context, 'add', { event: glob, reactors: files })
        const added = await edit((entries) =>
          entries.some((entry) => entry.glob === glob) ? undefined : [...entries, { glob, files }],
        )
        return { status: added, comment: added ? 'Reactor added.' : 'Reactor already exists.' }
      },
    },
    'reactor.delete': {
      signature: { params: [{ name: 'event' }] },
      doc: doc('Delete a reactor', "delete 'salt/cloud/*/destroyed'"),
      idempotent: true,
      async run({ named }, context) {
        const glob = pythonStr(named.event ?? '')
        ask(context, 'delete', { event: glob })
        const deleted = await edit((entries) => {
          const at = entries.findIndex((entry) => entry.glob === glob)
          return at < 0 ? undefined : entries.filter((_, index) => index !== at)
        })
        return { status: deleted, comment: deleted ? 'Reactor deleted.' : 'Reactor does not exists.' }
      },
    },
    'reactor.is_leader': {
      signature: { params: [] },
      doc: doc('Return whether the reactor runs here. There is one reactor, and it always does', 'is_leader'),
      readOnly: true,
      idempotent: true,
      async run(_bound, context) {
        ask(context, 'is_leader', {})
        return true
      },
    },
    ...reactorTryRunner(needs),
    ...reactorExplainRunner(needs),
    ...reactorDeadRunner(needs),
  }
}

function doc(what: string, example: string): string {
  return docOf(what, [`reactor.${example}`])
}
