// `saltutil.update`: a newer agent from the master. The job is signed by the master, and its hash says which file is meant.
import type { Mapping } from '../../core/value/index.ts'
import { installAgent } from '../update/update.ts'
import { brineVersion } from '../version.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, SaltInvocationError } from './errors.ts'
import { type Call, define, type ExecutionFunction, examples } from './module.ts'

async function update(args: Arguments, call: Call): Promise<Mapping> {
  const home = process.env.BRINE_AGENT_DIR
  const { agent } = call
  if (agent.cli !== 'salt-minion')
    throw new SaltInvocationError('brine-call is not the minion: let the master do it, brine MINION saltutil.update …')
  if (home === undefined)
    throw new CommandExecutionError(
      'This minion was not started by /usr/bin/brine-minion of its package: update it the way it was installed.',
    )
  const hash = args.text('hash')
  if (!/^[0-9a-f]{64}$/i.test(hash))
    throw new SaltInvocationError(
      `hash must be the SHA-256 of the agent in hex (sha256sum brine-minion.mjs), not ${hash}`,
    )
  const source = args.text('source')
  const path = await agent.files.cache(source, args.textIfAny('saltenv') ?? 'base')
  if (path === undefined) throw new CommandExecutionError(`There is no file ${source} on the master.`)
  const to = await installAgent({ path, hash, from: brineVersion, home })
  agent.restart(`Version ${to} of the agent is installed.`)
  return {
    result: true,
    from: brineVersion,
    to,
    comment: `The minion restarts. brine/minion/${agent.id}/updated comes when the new agent has reached the master, brine/minion/${agent.id}/update-failed when it was taken back.`,
  }
}

/** The function, for the `saltutil` module. */
export const updateFunction: ExecutionFunction = define(
  "hash, source='salt://brine/brine-minion.mjs', saltenv='base'",
  `Install a newer agent from the master's files and restart. An agent that does not reach the master within two minutes is
taken back for the one before it.

hash
    The SHA-256 of the agent, as sha256sum tells it. The job that carries it is signed by the master.

source
    Where the agent lies in the master's files.${examples("brine '*' saltutil.update hash=$(sha256sum < /srv/salt/brine/brine-minion.mjs | cut -c1-64)")}`,
  update,
)
