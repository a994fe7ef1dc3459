// `brine-master`: the embedded master as a daemon.
import { dirname, resolve } from 'node:path'
import { masterConfig, reactorEntries } from '../../client/configuration.ts'
import { keysForNextStart } from '../../core/config/index.ts'
import { messageOf } from '../../core/error.ts'
import { restoreBackup, startEmbeddedMaster } from '../../platform/embedded/index.ts'
import { BRINE_MASTER, type ParsedOptions, readDaemon } from '../options/index.ts'
import { parseContext } from '../parse-context.ts'
import { notifySystemd, untilToldToEnd } from './daemon.ts'
import { openLog } from './log.ts'
import { embeddedOptions } from './master-options.ts'

/** Runs `brine-master` with the words after its name; answers the exit code. */
export async function masterMain(argv: readonly string[]): Promise<number> {
  const invocation = await readDaemon(BRINE_MASTER, argv, parseContext())
  if (invocation.kind === 'invocation') return runMaster(invocation.options)
  process.stdout.write(invocation.stdout)
  process.stderr.write(invocation.stderr)
  return invocation.exit
}

/** Puts a back-up in force for the next start. */
async function restore(path: string, dataDir: string, say: (line: string) => void): Promise<number> {
  const { events, before } = await restoreBackup(resolve(path), dataDir)
  const kept = before === undefined ? '' : ` What was there is in ${before}.`
  say(`Restored ${events} events and all else from ${path} to ${dataDir}.${kept} Start the master as usual.\n`)
  return 0
}

/** Says which keys have changed since the start and wait for the next one. A configuration that does not read is said too. */
async function tellOfKeys(
  started: Awaited<ReturnType<typeof masterConfig>>,
  configDir: string | undefined,
  log: ReturnType<typeof openLog> | undefined,
): Promise<void> {
  try {
    const keys = keysForNextStart(started, await masterConfig(configDir, process.env, false, () => undefined))
    if (keys.length === 0) return
    log?.warn(
      `SIGHUP: ${keys.join(', ')} changed and will hold after a restart; until then the values of the start do.`,
    )
  } catch (error) {
    log?.error(`SIGHUP: the configuration does not read, and the next start would fail: ${messageOf(error)}`)
  }
}

/** Runs until SIGTERM or SIGINT; SIGHUP reads the reactor's entries and files again, and says what waits for a restart. Ends with 0, or 1 where it could not start. */
async function runMaster(options: ParsedOptions): Promise<number> {
  const say = (line: string): void => void process.stderr.write(line)
  let log: ReturnType<typeof openLog> | undefined
  try {
    const parsed = await masterConfig(options.text('config_dir'), process.env, true, say)
    const { config } = parsed
    const backup = options.text('restore')
    if (backup !== undefined) return await restore(backup, config.data_dir, say)
    const level = options.text('log_level') ?? config.log_level
    log = openLog({
      name: 'brine.master',
      format: options.text('log_format') === 'json' ? 'json' : config.log_format,
      level,
      fileLevel: options.text('log_level_logfile') ?? config.log_level_logfile ?? level,
      file: options.text('log_file') ?? config.log_file,
    })
    const configDir = options.text('config_dir')
    const master = await startEmbeddedMaster({
      ...embeddedOptions(parsed, log),
      configDir: dirname(parsed.confFile),
      readEntries: () => reactorEntries(configDir, process.env),
    })
    if (master.certificate?.isNew === true)
      say(
        `A certificate was made for ${master.url}. Its fingerprint, for master_tls_finger of the minions:\n${master.certificate.fingerprint}\n`,
      )
    log.info(`brine-master answers at ${master.url} and on ${master.socketPath}`)
    notifySystemd('READY=1', log.warn)
    process.on('SIGHUP', () => {
      void master.reload()
      void tellOfKeys(parsed, configDir, log)
    })
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
