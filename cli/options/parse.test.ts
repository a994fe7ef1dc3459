// Command lines as optparse reads them: what is understood, and the words and exit codes where it is not.
import { describe, expect, it } from 'vitest'
import { BRINE, readBrine } from './brine.ts'
import { BRINE_CALL, readBrineCall } from './brine-call.ts'
import { BRINE_CLOUD } from './brine-cloud.ts'
import { BRINE_KEY, readBrineKey } from './brine-key.ts'
import { BRINE_RUN, readBrineRun } from './brine-run.ts'
import { BRINE_MASTER, BRINE_MINION, readDaemon } from './daemons.ts'
import { helpText } from './help.ts'
import { allOptions } from './option.ts'
import { parseCommand } from './parse.ts'

const context = { version: '1.2.3' }
const words = (line: string): string[] => line.split(' ').filter((word) => word !== '')

const UNDERSTOOD: readonly (readonly [string, readonly string[], Record<string, unknown>])[] = [
  ['* test.ping', ['*', 'test.ping'], {}],
  ['* test.ping -t 9 a', ['*', 'test.ping', 'a'], { timeout: 9 }],
  ['-t9 -vs *', ['*'], { timeout: 9, verbose: true, static: true }],
  ['--timeout=0x10 * f', ['*', 'f'], { timeout: 16 }],
  ['--timeout 010 * f', ['*', 'f'], { timeout: 8 }],
  ['--out-indent -1 * f', ['*', 'f'], { output_indent: -1 }],
  ['--out=json * f', ['*', 'f'], { output: 'json' }],
  ['--verb * f', ['*', 'f'], { verbose: true }],
  ['-b 10% * f', ['*', 'f'], { batch: '10%' }],
  ['--batch-wait 1.5 * f', ['*', 'f'], { batch_wait: 1.5 }],
  ['--hide-timeout * f', ['*', 'f'], { show_timeout: false }],
  ['* f -- --not-an-option -x', ['*', 'f', '--not-an-option', '-x'], {}],
  ['* f - -', ['*', 'f', '-', '-'], {}],
  ['* test.arg --args-separator % a', ['*', 'test.arg', 'a'], { args_separator: '%' }],
  ['-l debug --log-file x * f', ['*', 'f'], { log_level: 'debug', log_file: 'x' }],
]

const MISTAKES: readonly (readonly [string, string])[] = [
  ['--bogus', 'no such option: --bogus'],
  ['* f -5', 'no such option: -5'],
  ['--bogus=1', 'no such option: --bogus'],
  ['--statik', 'no such option: --statik\nDid you mean --static?'],
  ['--retcode-passthrough', 'no such option: --retcode-passthrough'],
  [
    '--st',
    'ambiguous option: --st (--stack, --state-output, --state-verbose, --state_output, --state_verbose, --static?)',
  ],
  ['-t', '-t option requires 1 argument'],
  ['-t x', "option -t: invalid integer value: 'x'"],
  ['--batch-wait x', "option --batch-wait: invalid floating-point value: 'x'"],
  ['--static=1', '--static option does not take a value'],
  [
    '-l bogus',
    "option -l: invalid choice: 'bogus' (choose from 'all', 'debug', 'error', 'critical', 'garbage', 'info', 'profile', 'quiet', 'trace', 'warning')",
  ],
  ['--module-executors x', '--module-executors is not supported: minions run functions directly.'],
  ['-G -L x f', 'The options --list/--grain are mutually exclusive. Please only choose one of them'],
  ['--jid 5 * f', "'5' is not a valid JID"],
  ['-d * a b c', 'You can only get documentation for one method at one time.'],
]

describe('parseCommand', () => {
  it.each(UNDERSTOOD)('understands %s', async (line, args, values) => {
    const parsed = await parseCommand(BRINE, words(line), context)
    if (parsed.kind === 'end') throw new Error(parsed.stderr)
    expect(parsed.args).toEqual(args)
    expect(parsed.options.overrides()).toEqual(values)
  })

  it.each(MISTAKES)('refuses %s', async (line, message) => {
    const usage = "Usage: brine [options] '<target>' <function> [arguments]\n\n"
    expect(await readBrine(words(line), context)).toEqual({
      kind: 'end',
      exit: 64,
      stdout: '',
      stderr: `${usage}brine: error: ${message}\n`,
    })
  })

  it('reads further words from standard input when asked to', async () => {
    const stdinLines = (): string[] => ['*', '--static', 'two words']
    const parsed = await parseCommand(BRINE, ['--args-stdin', 'x'], { ...context, stdinLines })
    if (parsed.kind === 'end') throw new Error(parsed.stderr)
    expect(parsed.args).toEqual(['x', '*', 'two words'])
    expect(parsed.options.flag('static')).toBe(true)
  })

  it('prints the version and the versions report', async () => {
    expect(await parseCommand(BRINE, ['--version'], context)).toMatchObject({ exit: 0, stdout: 'brine 1.2.3\n' })
    const report = { ...context, versionsReport: () => 'Brine: 1.2.3\nNode: 20' }
    expect(await parseCommand(BRINE, ['-V'], report)).toMatchObject({ exit: 0, stdout: 'Brine: 1.2.3\nNode: 20\n' })
  })
})

describe('the tables of options', () => {
  it.each([BRINE, BRINE_RUN, BRINE_CALL, BRINE_KEY, BRINE_CLOUD, BRINE_MASTER, BRINE_MINION])(
    '$name has no flag twice',
    (spec) => {
      const flags = [...allOptions(spec), ...spec.refused].flatMap((option) => option.flags)
      expect(flags.filter((flag, index) => flags.indexOf(flag) !== index)).toEqual([])
      expect(flags.filter((flag) => !/^(?:-\w|--[a-z][a-z_-]*[a-z])$/.test(flag))).toEqual([])
    },
  )

  it.each([BRINE, BRINE_RUN, BRINE_CALL, BRINE_KEY, BRINE_CLOUD, BRINE_MASTER, BRINE_MINION])(
    '$name helps within 80 columns',
    (spec) => {
      const help = helpText(spec)
      expect(help.split('\n').filter((line) => line.length > 78)).toEqual([])
      for (const option of allOptions(spec)) expect(help).toContain(option.flags[0])
    },
  )
})

describe('the other commands', () => {
  it('brine-call without a function prints its help and fails', async () => {
    const end = await readBrineCall([], context)
    expect(end).toMatchObject({ kind: 'end', exit: 64, stdout: helpText(BRINE_CALL) })
    expect(end).toMatchObject({ stderr: expect.stringContaining('Requires function, --grains or --doc') })
    expect(await readBrineCall(['-g', 'x'], context)).toMatchObject({ exit: 64 })
    expect(await readBrineCall(['-d', 'a', 'b'], context)).toMatchObject({ exit: 64 })
  })

  it('brine-run takes a function and its words', async () => {
    expect(await readBrineRun(words('--async state.event x count=1'), context)).toMatchObject({
      kind: 'invocation',
      fun: 'state.event',
      words: ['x', 'count=1'],
    })
    expect(await readBrineRun([], context)).toMatchObject({ kind: 'invocation', fun: undefined })
    expect(await readBrineRun(['--jid', '5'], context)).toMatchObject({ exit: 64 })
  })

  it.each([
    ['', { action: 'list', match: 'all', all: true }],
    ['-L', { action: 'list', match: 'all' }],
    ['-l un', { action: 'list', match: 'un', all: false }],
    ['-y -a web*', { action: 'accept', match: 'web*', includeRejected: false }],
    ['-A --include-all', { action: 'accept', match: '*', includeRejected: true, includeAccepted: false }],
    ['-r x --include-all', { action: 'reject', match: 'x', includeRejected: false, includeAccepted: true }],
    ['-d x --include-denied', { action: 'delete', match: 'x', includeDenied: true }],
    ['-F', { action: 'finger', match: '*', all: true }],
    ['-P', { action: 'print', match: '*' }],
    ['-a x -d y', { action: 'accept', match: 'x' }],
    ['--gen-keys new', { action: 'gen_keys', match: 'new' }],
    ['--import /etc/salt/pki/master', { action: 'import', match: '/etc/salt/pki/master' }],
  ] as const)('brine-key %s', async (line, action) => {
    expect(await readBrineKey(words(line), context)).toMatchObject({ kind: 'invocation', action })
  })

  it.each(['-l foo', '--keysize 1024', '--keysize 65536', '--rotate-aes-key False'])(
    'brine-key refuses %s',
    async (line) => {
      expect(await readBrineKey(words(line), context)).toMatchObject({ kind: 'end', exit: 64 })
    },
  )

  it('the daemons take no arguments and no -d', async () => {
    expect(await readDaemon(BRINE_MASTER, ['-c', '/etc/brine'], context)).toMatchObject({ kind: 'invocation' })
    expect(await readDaemon(BRINE_MASTER, ['start'], context)).toMatchObject({ exit: 64 })
    const refusal = await readDaemon(BRINE_MINION, ['-d'], context)
    expect(refusal).toMatchObject({ exit: 64, stderr: expect.stringContaining('systemd') })
  })
})
