// `brine-master`: the embedded master as a daemon.
import { messageOf } from '../../core/error.ts'
import { startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { masterConfig } from './config.ts'
import { notifySystemd, untilToldToEnd } from './daemon.ts'
import { openLog } from './log.ts'
import { embeddedOptions } from './master-options.ts'

/** What the command line says over the configuration. */
export interface MasterCommand {
  readonly configDir?: string | undefined
  readonly logLevel?: string | undefined
}

/** Runs until SIGTERM or SIGINT; SIGHUP reads reactors again. Ends with 0, or 1 where it could not start. */
export async function masterCommand(command: MasterCommand): Promise<number> {
  const say = (line: string): void => void process.stderr.write(line)
  let log: ReturnType<typeof openLog> | undefined
  try {
    const { config } = await masterConfig(command.configDir, process.env, true, say)
    const level = command.logLevel ?? config.log_level
    log = openLog({
      name: 'brine.master',
      format: config.log_format,
      level,
      fileLevel: config.log_level_logfile ?? level,
      file: config.log_file,
    })
    const master = await startEmbeddedMaster(embeddedOptions(config, log))
    log.info(`brine-master answers at ${master.url} and on ${master.socketPath}`)
    notifySystemd('READY=1', log.warn)
    process.on('SIGHUP', () => void master.reload())
    const signal = await untilToldToEnd()
    log.info(`${signal}: ending`)
    notifySystemd('STOPPING=1', log.warn)
    await master.stop()
    return 0
  } catch (error) {
    say(`[CRITICAL] ${messageOf(error)}\n`)
    return 1
  } finally {
    await log?.close()
  }
}
