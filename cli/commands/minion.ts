// `brine-minion`: the agent as a daemon.
import { createMinion, systemOutside } from '../../agent/index.ts'
import { minionConfig } from '../../client/configuration.ts'
import { BrineError, messageOf } from '../../core/error.ts'
import { BRINE_MINION, type ParsedOptions, readDaemon } from '../options/index.ts'
import { parseContext } from '../parse-context.ts'
import { notifySystemd, untilToldToEnd } from './daemon.ts'
import { openLog } from './log.ts'

/** Runs `brine-minion` with the words after its name; answers the exit code. */
export async function minionMain(argv: readonly string[]): Promise<number> {
  const invocation = await readDaemon(BRINE_MINION, argv, parseContext())
  if (invocation.kind === 'invocation') return runMinion(invocation.options)
  process.stdout.write(invocation.stdout)
  process.stderr.write(invocation.stderr)
  return invocation.exit
}

/** What it ends with where it is to be started again: any supervisor does so after a failure. */
const restartCode = 75

/** Runs until SIGTERM or SIGINT, or until it has to stop; ends with 0, or 1 where it could not go on. */
async function runMinion(options: ParsedOptions): Promise<number> {
  const say = (line: string): void => void process.stderr.write(line)
  let log: ReturnType<typeof openLog> | undefined
  try {
    const setup = await minionConfig(overrides(options), process.env, true, say)
    const { config } = setup
    const level = options.text('log_level') ?? config.log_level
    log = openLog({
      name: 'brine.minion',
      format: options.text('log_format') === 'json' ? 'json' : config.log_format,
      level,
      fileLevel: options.text('log_level_logfile') ?? config.log_level_logfile ?? level,
      file: options.text('log_file') ?? config.log_file,
    })
    const minion = createMinion(setup, systemOutside(log))
    await minion.start()
    log.info(`minion ${minion.id} has started`)
    const { warn, info } = log
    notifySystemd('READY=1', warn)
    minion.joined.then(() => info(`minion ${minion.id} has joined its master`)).catch(() => undefined)
    await Promise.race([untilToldToEnd(), minion.finished])
    notifySystemd('STOPPING=1', warn)
    await minion.stop()
    return 0
  } catch (error) {
    if (error instanceof BrineError && error.code === 'restart') return restartCode
    say(`[CRITICAL] ${messageOf(error)}\n`)
    return 1
  } finally {
    await log?.close()
  }
}

/** What the command line says over the configuration. */
export function overrides(options: ParsedOptions): {
  configDir?: string | undefined
  id?: string | undefined
  master?: string | undefined
} {
  return { configDir: options.text('config_dir'), id: options.text('id'), master: options.text('master') }
}
