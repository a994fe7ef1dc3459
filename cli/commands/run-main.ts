// `brine-run`: the command line joined to the runner it asks for.
import { type BrineRunInvocation, outputOptions, readBrineRun } from '../options/index.ts'
import { parseContext } from '../parse-context.ts'
import { type ClientSettings, clientMain } from './client-command.ts'
import type { Io } from './io.ts'
import { docsCommand, runCommand } from './run.ts'

/** Runs `brine-run` with the words after its name; answers the exit code. */
export function runMain(argv: readonly string[], io: Io): Promise<number> {
  return clientMain(io, () => readBrineRun(argv, parseContext()), run)
}

async function run({ options, fun, words }: BrineRunInvocation, settings: ClientSettings, io: Io): Promise<number> {
  const print = outputOptions(options, settings.output, io.isTty)
  const out = options.flag('quiet') ? 'quiet' : options.text('output')
  if (options.flag('doc') || fun === undefined) return docsCommand(settings.connection, fun, io)
  const args = fun === 'reactor.test' && words[1] === '-' ? [words[0] ?? '', await io.input()] : words
  const timeout = waiting.has(fun) ? options.number('timeout') : undefined
  const timed = timeout === undefined || timeout <= 0 ? args : [...args, `timeout=${timeout}`]
  const jid = options.text('jid')
  return runCommand(settings.connection, { fun, args: timed, async: options.flag('async'), jid, out, print }, io)
}

/** What `-t` is for: runners that ask minions, and take the seconds as a keyword. */
const waiting: ReadonlySet<string> = new Set(['manage.down', 'manage.status', 'manage.up'])
