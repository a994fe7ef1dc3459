// The `orch` runner: the orchestrations there are, how each stands, and ending one.
import { resumed } from '../../core/state/index.ts'
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { noOrchestration } from '../orchestrate/no-orchestration.ts'
import type { Orchestrations } from '../orchestrate/orchestrations.ts'
import type { MasterFunction } from '../run.ts'
import { docOf } from './runner-doc.ts'

/** Functions of the `orch` runner. `now` in microseconds. */
export function orchRunner(
  orchestrations: () => Promise<Orchestrations>,
  now: () => number,
): Record<string, MasterFunction> {
  return {
    'orch.list': {
      signature: { params: [{ name: 'limit', default: 20 }] },
      doc: docOf('List the newest orchestrations: what they run, how they stand, how many of their steps have ended.', [
        'orch.list',
        'orch.list limit=100',
      ]),
      readOnly: true,
      idempotent: true,
      async run({ named }) {
        const { summary } = await import('../orchestrate/standing.ts')
        const all = await (await orchestrations()).list(Number(pythonStr(named.limit ?? 20)))
        return Object.fromEntries(all.map((record) => [record.request.jid, summary(record)])) as Mapping
      },
    },
    'orch.show': {
      signature: { params: [{ name: 'jid' }] },
      doc: docOf('Show an orchestration step by step: what each waits for, how it stands, its jobs and times.', [
        'orch.show 20261121052932933731',
      ]),
      readOnly: true,
      idempotent: true,
      out: 'orchestration',
      async run({ named }) {
        const jid = pythonStr(named.jid ?? '')
        const record = await (await orchestrations()).get(jid)
        if (record === undefined) throw noOrchestration(jid)
        const { standing } = await import('../orchestrate/standing.ts')
        return standing(record, now())
      },
    },
    'orch.follow': {
      signature: { params: [{ name: 'jid' }] },
      doc: docOf('Wait for the end of an orchestration and return its results; go on with it where nobody does.', [
        'orch.follow 20261121052932933731',
      ]),
      idempotent: true,
      out: 'highstate',
      run: async ({ named }) => (await orchestrations()).finished(pythonStr(named.jid ?? '')),
    },
    'orch.cancel': {
      signature: { params: [{ name: 'jid' }] },
      doc: docOf(
        'Let nothing more of an orchestration start; jobs that run are waited for. False where it has ended.',
        ['orch.cancel 20261121052932933731'],
      ),
      idempotent: true,
      run: async ({ named }) => (await orchestrations()).cancel(pythonStr(named.jid ?? '')),
    },
    'orch.resume': {
      signature: { params: [{ name: 'jid' }] },
      doc: docOf(
        'Let an orchestration go on that was paused, as a whole or at single steps. False where it has ended.',
        ['orch.resume 20261121052932933731'],
      ),
      idempotent: true,
      run: async ({ named }) =>
        (await orchestrations()).change(pythonStr(named.jid ?? ''), (run) => resumed(run, run.paused)),
    },
  }
}
