// `brine-key`: the command line joined to what it does with keys.
import { type BrineKeyInvocation, outputOptions, readBrineKey } from '../options/index.ts'
import { version } from '../version.ts'
import { type ClientSettings, clientMain } from './client-command.ts'
import type { Io } from './io.ts'
import { keyCommand } from './key.ts'

/** Runs `brine-key` with the words after its name; answers the exit code. */
export function keyMain(argv: readonly string[], io: Io): Promise<number> {
  return clientMain(io, () => readBrineKey(argv, { version }), run)
}

function run({ options, action }: BrineKeyInvocation, settings: ClientSettings, io: Io): Promise<number> {
  const quiet = options.flag('quiet') ? { ...io, out: async () => undefined } : io
  return keyCommand(
    settings.connection,
    {
      action,
      yes: options.flag('yes'),
      out: options.text('output'),
      print: outputOptions(options, settings.output, io.isTty),
    },
    quiet,
  )
}
