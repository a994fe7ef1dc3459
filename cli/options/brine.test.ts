// What a command line of `brine` asks for: target, functions, arguments.
import { describe, expect, it } from 'vitest'
import { BRINE, type BrineInvocation, readBrine } from './brine.ts'
import { helpText } from './help.ts'
import { jobCall } from './job-arguments.ts'
import { nearest } from './nearest.ts'
import { outputOptions } from './output-options.ts'

const context = { version: '1' }

async function invoke(...argv: string[]): Promise<BrineInvocation> {
  const read = await readBrine(argv, context)
  if (read.kind === 'end') throw new Error(read.stderr)
  return read
}

describe('the target', () => {
  it.each([
    [['web*', 'f'], 'web*', 'glob'],
    [['-L', 'a,b', 'f'], ['a', 'b'], 'list'],
    [['-L', 'a, b', 'f'], ['a', 'b'], 'list'],
    [['-L', ' a  b ', 'f'], ['a', 'b'], 'list'],
    [['-E', 'a|b', 'f'], 'a|b', 'pcre'],
    [['-G', 'os:*', 'f'], 'os:*', 'grain'],
    [['-P', 'os:^a', 'f'], 'os:^a', 'grain_pcre'],
    [['-C', 'G@a:b and c', 'f'], 'G@a:b and c', 'compound'],
    [['-N', 'webs', 'f'], 'webs', 'nodegroup'],
    [['-I', 'a:b', 'f'], 'a:b', 'pillar'],
    [['-J', 'a:b', 'f'], 'a:b', 'pillar_pcre'],
    [['-S', '10.0.0.0/8', 'f'], '10.0.0.0/8', 'ipcidr'],
    [['-R', '%x', 'f'], '%x', 'range'],
  ] as const)('%j', async (argv, tgt, tgtType) => {
    expect(await invoke(...argv)).toMatchObject({ tgt, tgtType })
  })

  it.each([
    [[], '\nCannot execute command without defining a target.\n\n'],
    [['-L'], '\nCannot execute command without defining a target.\n\n'],
    [['*'], '\nIncomplete options passed.\n\n'],
  ])('%j prints the help and ends with 42', async (argv, stderr) => {
    expect(await readBrine(argv, context)).toEqual({ kind: 'end', exit: 42, stdout: helpText(BRINE), stderr })
  })

  it('may stand alone for --preview-target and -d', async () => {
    expect(await invoke('--preview-target', 'web*')).toMatchObject({ tgt: 'web*' })
    expect(await invoke('-d')).toMatchObject({ tgt: '*', call: { fun: 'sys.doc', words: [] } })
    expect(await invoke('-d', 'db1', 'test.ping')).toMatchObject({
      tgt: 'db1',
      call: { fun: 'sys.doc', words: ['test.ping'] },
    })
    expect(await invoke('-d', 'db1', 'sys.doc', 'test')).toMatchObject({ call: { fun: 'sys.doc', words: ['test'] } })
  })
})

describe('the call', () => {
  it.each([
    [['test.arg', 'a', 'b=1', '2'], 'test.arg', ['a', 2, { __kwarg__: true, b: 1 }]],
    [['test.arg', 'plain', 'words.only'], 'test.arg', ['plain', 'words.only']],
    [['test.arg', 'yes', 'null', 'y'], 'test.arg', [true, null, 'y']],
    [
      ['test.ping,test.arg', ',', 'a'],
      ['test.ping', 'test.arg'],
      [[], ['a']],
    ],
    [
      ['a,b', 'x,', '1'],
      ['a', 'b'],
      [['x'], [1]],
    ],
    [
      ['a,b', 'x', ',', 'y,z'],
      ['a', 'b'],
      [['x'], ['y,z']],
    ],
    [
      ['a,b,c', '1,k=2', ',', '3'],
      ['a', 'b', 'c'],
      [[1], [{ __kwarg__: true, k: 2 }], [3]],
    ],
    [
      ['--args-separator', '%', 'a,b', '1,2', '%', '3'],
      ['a', 'b'],
      [['1,2'], [3]],
    ],
    [['--no-parse', 'b, c', 'f', 'b=1', 'c=2', 'd=3'], 'f', [{ __kwarg__: true, b: '1', c: '2', d: 3 }]],
  ] as const)('%j', async (argv, fun, arg) => {
    const { call, options } = await invoke('*', ...argv)
    expect(await jobCall(call, options)).toEqual({ fun, arg })
  })

  it.each([
    [['a,b', 'x', ',', 'y', ',', 'z'], 'Cannot execute compound command with more arguments than commands.\n'],
    [['a,b', 'x'], 'Cannot execute compound command without defining all arguments.\n'],
  ] as const)('%j ends with 42', async (argv, stderr) => {
    expect(await readBrine(['*', ...argv], context)).toEqual({ kind: 'end', exit: 42, stdout: '', stderr })
  })
})

describe('outputOptions', () => {
  it('lets the command line win over the configuration', async () => {
    const { options } = await invoke(
      '--state-output=terse',
      '--state-verbose=False',
      '--out-indent=2',
      '--no-color',
      '*',
      'f',
    )
    const settings = { state_output: 'mixed', output_indent: 'pretty', color: true, state_tabular: true }
    expect(outputOptions(options, settings, true)).toMatchObject({
      color: false,
      outputIndent: 2,
      state: { output: 'terse', verbose: false, tabular: true, profile: true, diff: false },
    })
  })

  it("falls back to the configuration, the terminal and the job's keywords", async () => {
    const { options } = await invoke('--output-diff', '*', 'state.apply')
    const settings = { state_output: 'filter', state_output_exclude: 'None,', state_verbose: false }
    expect(outputOptions(options, settings, true, { terse: 'True,None' })).toMatchObject({
      color: true,
      state: { output: 'filter', exclude: ['None', ''], terse: ['True', 'None'], verbose: false, diff: true },
    })
  })
})

describe('nearest', () => {
  it.each([
    ['--statik', '--static'],
    ['--sumary', '--summary'],
    ['--tiemout', '--timeout'],
    ['--bogus', undefined],
    ['--x', undefined],
  ])('%s: %s', (word, meant) => {
    expect(nearest(word, ['--static', '--summary', '--timeout', '--batch'])).toBe(meant)
  })
})
