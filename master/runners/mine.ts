// The `mine` runner: what minions give to others, asked by the master.
import { pythonStr } from '../../core/value/index.ts'
import type { Execute } from '../execute.ts'
import type { Mines } from '../mine.ts'
import type { MasterFunction } from '../run.ts'

/** What the runner is made from. */
export interface MineNeeds {
  readonly mines: Mines
  readonly execute: Execute
  readonly timeout: number
}

/** Functions of the `mine` runner. */
export function mineRunner({ mines, execute, timeout }: MineNeeds): Record<string, MasterFunction> {
  return {
    'mine.get': {
      signature: { params: [{ name: 'tgt' }, { name: 'fun' }, { name: 'tgt_type', default: 'glob' }] },
      doc: `    Gathers the data from the specified minions' mine, pass in the target,
    function to look up and the target type

    CLI Example:

    .. code-block:: bash

        brine-run mine.get '*' network.interfaces
`,
      idempotent: true,
      readOnly: true,
      run: ({ named }) => mines.get(undefined, named.tgt ?? '', named.fun ?? '', pythonStr(named.tgt_type ?? 'glob')),
    },
    'mine.update': {
      signature: {
        params: [
          { name: 'tgt' },
          { name: 'tgt_type', default: 'glob' },
          { name: 'clear', default: false },
          { name: 'mine_functions', default: null },
        ],
      },
      doc: `    Has the minions of a target fill their mine now

    CLI Example:

    .. code-block:: bash

        brine-run mine.update '*'
        brine-run mine.update 'juniper-edges' tgt_type='nodegroup'
`,
      idempotent: true,
      async run({ named }, { print }) {
        const { tgt = '', tgt_type: type = 'glob', clear = false, mine_functions: functions = null } = named
        const arg = [{ clear, mine_functions: functions, __kwarg__: true }]
        const { returns } = await execute({ tgt, tgtType: pythonStr(type), fun: 'mine.update', arg, timeout, print })
        return Object.fromEntries([...returns].map(([id, load]) => [id, load.return ?? null]))
      },
    },
  }
}
