// `brine-key`: the command line joined to what it does with keys.
import { BrineError } from '../../core/error.ts'
import { type BrineKeyInvocation, outputOptions, readBrineKey } from '../options/index.ts'
import { parseContext } from '../parse-context.ts'
import { type ClientSettings, clientMain } from './client-command.ts'
import type { Io } from './io.ts'
import { keyCommand } from './key.ts'

/** Runs `brine-key` with the words after its name; answers the exit code. */
export function keyMain(argv: readonly string[], io: Io): Promise<number> {
  return clientMain(io, () => readBrineKey(argv, parseContext()), runKey)
}

/** Does what the command line asks for. */
export async function runKey(
  { options, action }: BrineKeyInvocation,
  settings: ClientSettings,
  io: Io,
): Promise<number> {
  const quiet = options.flag('quiet') ? { ...io, out: async () => undefined, print: async () => undefined } : io
  if (options.text('user') !== undefined && action.action !== 'gen_keys')
    throw new BrineError('--user names who gets the pair of --gen-keys. For the rest, run the command as that user.', {
      code: 'usage',
    })
  return keyCommand(
    settings.connection,
    {
      action,
      yes: options.flag('yes'),
      preserve: options.text('preserve_minions')?.toLowerCase() === 'true',
      pair: {
        name: action.match,
        directory: options.text('gen_keys_dir') ?? '.',
        size: options.number('keysize'),
        user: options.text('user'),
      },
      out: options.text('output'),
      print: outputOptions(options, settings.output, io.isTty),
    },
    quiet,
  )
}
