// `brine completion`: the scripts by which shells complete the programs' command lines.
import { silentLog } from '../../agent/outside.ts'
import { parseMasterConfig } from '../../core/config/index.ts'
import { openReactorBench } from '../../platform/embedded/index.ts'
import type { Names } from '../completion/programs.ts'
import type { Io } from './io.ts'
import { embeddedOptions } from './master-options.ts'
import { minionFunctions } from './minion-functions.ts'

const usage = `Usage: brine completion bash|zsh

Prints a script that completes the command lines of all programs: options, functions, runners, outputters, and the names
of minions and reactor files, for which the master is asked when they are typed.

  bash: source <(brine completion bash)    # in ~/.bashrc
  zsh:  source <(brine completion zsh)     # in ~/.zshrc, after compinit
`

/** Runs it with the words after `completion`; answers the exit code. */
export async function completionMain(argv: readonly string[], io: Io): Promise<number> {
  const [shell, ...more] = argv
  if (more.length === 0 && shell === 'bash') {
    await io.out((await import('../completion/bash.ts')).bashScript(await namesOf()))
    return 0
  }
  if (more.length === 0 && shell === 'zsh') {
    await io.out((await import('../completion/zsh.ts')).zshScript(await namesOf()))
    return 0
  }
  if (shell === '-h' || shell === '--help') {
    await io.out(usage)
    return 0
  }
  io.err(usage)
  return 64
}

/** The functions there are without code of the user's own. */
async function namesOf(): Promise<Names> {
  const parsed = parseMasterConfig([])
  const bench = await openReactorBench({ ...embeddedOptions({ ...parsed, confFile: '' }, silentLog), log: silentLog })
  try {
    return { execution: [...minionFunctions().keys()].sort(), runner: [...bench.functions.runner].sort() }
  } finally {
    await bench.close()
  }
}
