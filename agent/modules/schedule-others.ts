// `schedule.copy` and `schedule.move`: a job given to other minions, which in Salt a minion may do where the master lets it.
import type { Mapping } from '../../core/value/index.ts'
import { mapOf } from '../beacons/entry.ts'
import { CommandExecutionError } from './errors.ts'
import { isDryRun } from './minion-request.ts'
import { define, type ExecutionFunction, examples } from './module.ts'
import { listedJobs } from './schedule-request.ts'

/** Salt's answers as far as nobody else is asked; beyond, refused with the command that does it on the master. */
function giving(word: 'copy' | 'move', done: 'copied' | 'moved'): ExecutionFunction {
  const then = word === 'move' ? ', then `brine-call schedule.delete` here' : ''
  return define(
    'name, target, **kwargs',
    `Refused: a minion has no rights on others. With test=True say that the job would be ${done}; one that is not there is told. On the
    master: \`\`brine TARGET schedule.add NAME function=… seconds=…\`\`${then}.${examples(`brine 'web1' schedule.${word} job1 web2`)}`,
    async (args, call): Promise<Mapping> => {
      const name = args.text('name')
      if (isDryRun(args)) return { result: true, comment: `Job: ${name} would be ${done} from schedule.` }
      if (mapOf((await listedJobs(call))[name]) === undefined)
        return { comment: `Job ${name} does not exist.`, result: false }
      throw new CommandExecutionError(
        `schedule.${word}: a minion has no rights on others. On the master: \`brine '${args.text('target')}' schedule.add ${name} function=… seconds=…\`${word === 'move' ? `, then \`brine ${String(call.agent.id)} schedule.delete ${name}\`` : ''}.`,
      )
    },
  )
}

/** What they are called by. */
export const givingFunctions: Readonly<Record<string, ExecutionFunction>> = {
  copy: giving('copy', 'copied'),
  move: giving('move', 'moved'),
}
