// `brine-cloud`: the command line joined to what it does with machines.
import { type BrineCloudInvocation, outputOptions, readBrineCloud } from '../options/index.ts'
import { parseContext } from '../parse-context.ts'
import { type ClientSettings, clientMain } from './client-command.ts'
import { cloudCommand } from './cloud.ts'
import type { Io } from './io.ts'

/** Runs `brine-cloud` with the words after its name; answers the exit code. */
export function cloudMain(argv: readonly string[], io: Io): Promise<number> {
  return clientMain(io, () => readBrineCloud(argv, parseContext()), run)
}

function run({ options, action }: BrineCloudInvocation, settings: ClientSettings, io: Io): Promise<number> {
  return cloudCommand(
    settings.connection,
    {
      action,
      yes: options.flag('assume_yes'),
      deploy: options.flag('deploy'),
      parallel: options.flag('parallel'),
      location: options.text('location'),
      out: options.text('output'),
      print: outputOptions(options, settings.output, io.isTty),
    },
    io,
  )
}
