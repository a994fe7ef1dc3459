// Tests what each form of arguments is bound to, where Brine says more than Salt.
import { describe, expect, it } from 'vitest'
import type { Signature } from '../arguments/signature.ts'
import { Dict, type Value } from '../value/index.ts'
import { bindCall } from './call.ts'
import { compileSls } from './compile.ts'

const orchestrate: Signature = { params: [{ name: 'mods' }, { name: 'saltenv', default: 'base' }], varKwargs: false }
const signatures = (client: string, fun: string) =>
  `${client}.${fun}` === 'runner.state.orchestrate' ? orchestrate : undefined

function bind(type: string, ...args: Value[]) {
  const [chunk] = compileSls([{ name: 'x.sls', document: { a: { [type]: args } } }]).chunks
  if (chunk === undefined) throw new Error('no chunk')
  return bindCall(chunk, signatures)
}

describe('local', () => {
  it('takes target, type, returner, timeout, jid and metadata', () => {
    const { call, warnings } = bind(
      'local.test.ping',
      { tgt: ['a', 'b'] },
      { tgt_type: 'list' },
      { ret: ['redis', 'smtp'] },
      { timeout: 5 },
      { jid: 20260101120000123456n },
      { metadata: { who: 'me' } },
    )
    expect(call).toEqual({
      kind: 'local',
      tgt: ['a', 'b'],
      tgtType: 'list',
      fun: 'test.ping',
      arg: [],
      kwarg: {},
      ret: 'redis,smtp',
      timeout: 5,
      jid: '20260101120000123456',
      metadata: { who: 'me' },
    })
    expect(warnings).toEqual([])
  })

  it.each<[string, Value[], object, string]>([
    ['expr_form for tgt_type', [{ tgt: 'os:x' }, { expr_form: 'grain' }], { tgtType: 'grain' }, 'expr_form'],
    [
      'a kwarg list for a map',
      [{ tgt: 'x' }, { kwarg: [{ a: 1 }, { b: 2 }] }],
      { kwarg: { a: 1, b: 2 } },
      'merged into one',
    ],
    ['one arg for a list', [{ tgt: 'x' }, { arg: 'ls -l' }], { arg: ['ls -l'] }, 'not a list'],
    [
      'a bare item in args for a keyword',
      [{ tgt: 'x' }, { args: ['ls'] }],
      { arg: [], kwarg: { ls: null } },
      '`- <name>: ls`',
    ],
    [
      'args, not arg beside it',
      [{ tgt: 'x' }, { args: { a: 1 } }, { arg: ['z'] }],
      { arg: [], kwarg: { a: 1 } },
      "ignoring 'arg'",
    ],
    ['no kwargs', [{ tgt: 'x' }, { kwargs: { a: 1 } }], { kwarg: {} }, '`kwargs` is not read'],
    ['an empty target', [{ tgt: null }], { tgt: null }, 'a job for nobody'],
  ])('takes %s, and warns', (_, args, expected, warning) => {
    const { call, warnings } = bind('local.cmd.run', ...args)
    expect(call).toMatchObject(expected)
    expect(warnings.join()).toContain(warning)
  })

  it.each<[string, Value[], string]>([
    ['no target', [], "Reactor 'a' failed to execute local 'cmd.run': local takes at least 2 arguments (1 given)."],
    ['args that are text', [{ tgt: 'x' }, { args: '[ls]' }], 'Incorrect argument format'],
    ['empty args', [{ tgt: 'x' }, { args: [] }], 'Incorrect argument format'],
    ['two keys in an item', [{ tgt: 'x' }, { args: [{ a: 1, b: 2 }] }], 'Incorrect argument format'],
    ['a kwarg that is text', [{ tgt: 'x' }, { kwarg: 'y' }], '`kwarg` is y, not a map'],
    ['a key that is no text', [{ tgt: 'x' }, new Dict([[5, 'y']])], 'keywords must be strings'],
  ])('refuses %s', (_, args, reason) => {
    const { call } = bind('local.cmd.run', ...args)
    expect(call.kind === 'refused' && call.reason).toContain(reason)
  })
})

describe('runner', () => {
  it('fills the signature from flat keys', () => {
    expect(bind('runner.state.orchestrate', { mods: 'orch' }).call).toEqual({
      kind: 'runner',
      fun: 'state.orchestrate',
      arg: ['orch'],
      kwarg: { saltenv: 'base' },
    })
  })

  it.each<[string, Value[], string]>([
    ['a missing argument', [], 'orchestrate takes at least 1 argument (0 given)'],
    [
      'an unknown one',
      [{ mods: 'x' }, { queue: true }],
      "'queue' is an invalid keyword argument for 'state.orchestrate'",
    ],
    ['two', [{ mods: 'x' }, { b: 1 }, { c: 1 }], "'b' and 'c' are invalid keyword arguments for 'state.orchestrate'"],
  ])('refuses %s', (_, args, reason) => {
    const { call } = bind('runner.state.orchestrate', ...args)
    expect(call.kind === 'refused' && call.reason).toContain(reason)
  })

  it('asks for no signature where args, or arg and kwarg, are given', () => {
    expect(bind('runner.no.such', { args: { a: 1 } }).call).toMatchObject({ kind: 'runner', kwarg: { a: 1 } })
    expect(bind('runner.no.such', { arg: [1] }, { kwarg: {} }).call).toMatchObject({ kind: 'runner', arg: [1] })
    expect(bind('runner.no.such', { a: 1 }).call).toMatchObject({ kind: 'refused' })
  })
})

it('refuses an unknown type and names it as written', () => {
  const { call } = bind('bogus.test.ping', { tgt: 'x' })
  expect(call).toEqual({
    kind: 'refused',
    reason:
      "Reactor 'a' failed to execute bogus 'test.ping': there is no reaction type 'bogus'. Use local, runner, wheel or caller.",
  })
})

it('takes a list of positions for caller', () => {
  expect(bind('caller.file.touch', { args: ['/tmp/x'] }).call).toMatchObject({ kind: 'caller', arg: ['/tmp/x'] })
  expect(bind('caller.file.touch', { args: [{ name: '/tmp/x' }] }).call).toMatchObject({ kwarg: { name: '/tmp/x' } })
})
