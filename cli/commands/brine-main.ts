// `brine`: the command line joined to the job it asks for.
import type { Connection } from '../../client/connection.ts'
import { LocalClient } from '../../client/local-client.ts'
import { yamlifyArg } from '../../core/arguments/index.ts'
import { isMapping } from '../../core/value/index.ts'
import { isBrineMigrate } from '../options/brine-migrate.ts'
import { isBrineTest } from '../options/brine-test.ts'
import { type BrineInvocation, jobCall, outputOptions, type ParsedOptions, readBrine } from '../options/index.ts'
import { chooseOutputter } from '../output/choose.ts'
import { parseContext } from '../parse-context.ts'
import { batchCommand } from './batch.ts'
import { type ClientSettings, clientMain } from './client-command.ts'
import type { Io } from './io.ts'
import { printTo } from './print.ts'
import { type SaltCommand, saltCommand } from './salt.ts'

/** Runs `brine` with the words after its name; answers the exit code. */
export async function brineMain(argv: readonly string[], io: Io): Promise<number> {
  if (isBrineTest(argv)) return (await import('./test-main.ts')).testMain(argv.slice(1), io)
  if (argv[0] === 'completion' && argv.length <= 2 && !argv[1]?.includes('.'))
    return (await import('./completion-main.ts')).completionMain(argv.slice(1), io)
  if (isBrineMigrate(argv)) return (await import('./migrate-main.ts')).migrateMain(argv.slice(1), io)
  return clientMain(io, () => readBrine(argv, parseContext()), send)
}

async function send(invocation: BrineInvocation, settings: ClientSettings, io: Io): Promise<number> {
  const { options } = invocation
  const command = await commandOf(invocation, settings, io)
  if (options.flag('preview_target')) return previewCommand(settings.connection, command, io)
  const batch = {
    wait: options.number('batch_wait') ?? 0,
    failhard: options.flag('failhard'),
  }
  const size = options.text('batch') ?? (await safeBatchSize(options, command, settings, io))
  if (size !== undefined) return batchCommand(settings.connection, command, { ...batch, size }, io)
  return saltCommand(settings.connection, command, io)
}

/** `--batch-safe-limit`: the size where so many minions are meant that the job had better go out in batches. */
async function safeBatchSize(
  options: ParsedOptions,
  command: SaltCommand,
  settings: ClientSettings,
  io: Io,
): Promise<string | undefined> {
  const limit = options.number('batch_safe_limit') ?? 0
  if (limit <= 1 || command.async || command.subset !== undefined) return undefined
  const client = new LocalClient(settings.connection)
  const meant = await client.preview(command.tgt, { ...command.options, tgtType: command.tgtType })
  if (meant.length < limit) return undefined
  await io.out('\nNOTICE: Too many minions targeted, switching to batch execution.\n')
  return options.text('batch_safe_size') ?? '8'
}

/** `--preview-target`: who is meant, sorted; 2 where that is nobody. */
async function previewCommand(connection: Connection, command: SaltCommand, io: Io): Promise<number> {
  const client = new LocalClient(connection)
  const meant = await client.preview(command.tgt, { ...command.options, tgtType: command.tgtType })
  if (meant.length === 0) {
    io.err('ERROR: No return received\n')
    return 2
  }
  await printTo(io, [...meant], chooseOutputter({ asked: command.out }), command.print)
  return 0
}

async function commandOf(
  { options, tgt, tgtType, call }: BrineInvocation,
  settings: ClientSettings,
  io: Io,
): Promise<SaltCommand> {
  const { fun, arg } = await jobCall(call, options)
  const metadata = options.text('metadata') === undefined ? undefined : yamlifyArg(options.text('metadata') ?? '')
  const retConfig = options.text('return_config')
  const retKwargs =
    options.text('return_kwargs') === undefined ? undefined : yamlifyArg(options.text('return_kwargs') ?? '')
  const jid = options.text('jid')
  const subset = options.number('subset') ?? 0
  const timeout = options.explicit.has('timeout') ? options.number('timeout') : undefined
  return {
    tgt: typeof tgt === 'string' ? tgt : [...tgt],
    tgtType,
    fun: typeof fun === 'string' ? fun : [...fun],
    arg,
    async: options.flag('async'),
    isStatic: options.flag('static'),
    verbose: options.flag('verbose'),
    summary: options.flag('cli_summary') || settings.output.cli_summary === true,
    progress: options.flag('progress'),
    showJid: options.flag('show_jid'),
    showTimeout: options.flag('show_timeout'),
    ...(subset > 0 ? { subset } : {}),
    options: {
      timeout: timeout !== undefined && timeout > 0 ? timeout : settings.timeout,
      gatherJobTimeout: settings.gatherJobTimeout,
      ...(options.explicit.has('delimiter') ? { delimiter: options.text('delimiter') ?? ':' } : {}),
      ret: options.text('return') ?? '',
      ...(retConfig === undefined ? {} : { retConfig }),
      ...(retKwargs !== undefined && isMapping(retKwargs) ? { retKwargs } : {}),
      ...(metadata !== undefined && isMapping(metadata) ? { metadata } : {}),
      ...(jid === undefined ? {} : { jid }),
    },
    out: options.text('output'),
    print: outputOptions(options, settings.output, io.isTty),
  }
}
