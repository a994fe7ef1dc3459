// Tests each finding of the linter, and what it has nothing against.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Signature } from '../../arguments/signature.ts'
import { functionCatalog } from './functions.ts'
import { type LintInput, lintReactors } from './lint.ts'

const params = (...names: string[]): Signature => ({
  params: names.map((name) => (name.endsWith('?') ? { name: name.slice(0, -1), default: null } : { name })),
})
const functions = functionCatalog({
  local: new Map([
    ['cmd.run', params('cmd', 'cwd?')],
    ['test.ping', params()],
    ['event.send', { ...params('tag', 'data?'), varKwargs: true }],
    ['state.apply', { ...params('mods?'), varKwargs: true }],
  ]),
  runner: new Map([
    ['state.orchestrate', params('mods', 'saltenv?', 'pillar?')],
    ['event.send', params('tag', 'data?')],
    ['jobs.active', params('display_progress?')],
  ]),
  wheel: new Map([['key.accept', params('match', 'include_rejected?')]]),
})

function lint(text: string, glob = 'custom/x', extra: Partial<LintInput> = {}) {
  const input: LintInput = {
    entries: [{ glob, files: ['x.sls'] }],
    files: [{ reference: 'x.sls', name: 'x.sls', text }],
    functions,
    checkTemplate: () => undefined,
    ...extra,
  }
  return lintReactors(input).map(
    ({ severity, code, file, line, message }) =>
      `${severity} ${code} ${file}${line === undefined ? '' : `:${line}`} ${message}`,
  )
}

const local = (...lines: string[]) =>
  `a:\n  local.cmd.run:\n    - tgt: x\n${lines.map((line) => `    ${line}\n`).join('')}`

describe('reactions', () => {
  it.each([
    [
      'a bare item in args',
      local('- args:', '  - ls'),
      "warning args-item x.sls:5 'ls' is the keyword ls=None, not the first argument. Write `- cmd: ls`.",
    ],
    [
      'an unknown function',
      'a:\n  local.cmd.rum:\n    - tgt: x\n',
      'warning unknown-function x.sls:2 No minion has cmd.rum. Did you mean cmd.run?',
    ],
    [
      'an unknown runner',
      'a:\n  runner.state.orchestrat: []\n',
      'warning unknown-function x.sls:2 There is no runner function state.orchestrat. Did you mean state.orchestrate?',
    ],
    [
      'an unknown type',
      'a:\n  runer.jobs.active: []\n',
      "error unknown-type x.sls:2 There is no reaction type 'runer'. Did you mean runner?",
    ],
    [
      'an unknown argument',
      local('- args:', '    cmd: ls', '    cwdd: /'),
      'warning unknown-argument x.sls:6 cmd.run has no argument cwdd. Did you mean cwd?',
    ],
    [
      'an unknown flat argument',
      'a:\n  runner.state.orchestrate:\n    - mods: x\n    - queue: True\n',
      'warning unknown-argument x.sls:4 state.orchestrate has no argument queue. It takes mods, saltenv, pillar.',
    ],
    [
      'a missing argument',
      'a:\n  wheel.key.accept: []\n',
      "warning missing-argument x.sls:2 key.accept of 'a' lacks match. Put it under `args`.",
    ],
    [
      'a missing argument below args',
      local('- args: {cwd: /}'),
      "warning missing-argument x.sls:2 cmd.run of 'a' lacks cmd.",
    ],
    ['arg alone on a runner', 'a:\n  runner.state.orchestrate:\n    - arg: [x]\n', 'warning arg-alone x.sls:3'],
    ['no target', 'a:\n  local.test.ping: []\n', "error no-target x.sls:2 'a' has no `tgt`, and never runs."],
    [
      'a flat argument of a job',
      local('- cmd: ls'),
      'warning stray-key x.sls:4 `cmd` is not handed to cmd.run. Put it under `args`.',
    ],
    ['kwargs', local('- arg: [ls]', '- kwargs: {a: 1}'), 'warning kwargs x.sls:5'],
    ['a kwarg list', local('- arg: [ls]', '- kwarg:', '  - cwd: /'), 'warning kwarg-list x.sls:5'],
    ['arg as text', local('- arg: ls'), 'warning arg-text x.sls:4'],
    ['arg beside args', local('- arg: [ls]', '- args: {cmd: ls}'), 'warning arg-beside-args x.sls:4'],
    ['args as text', local('- args: ls'), "error args-text x.sls:4 `args` of 'a' is text"],
    ['expr_form', local('- arg: [ls]', '- expr_form: grain'), 'warning expr-form x.sls:5'],
    [
      'a trailing colon',
      'a:\n  runner.jobs.active:\n',
      "error not-a-list x.sls:2 'a' has a colon and nothing after it",
    ],
    [
      'a map for a list',
      'a:\n  local.test.ping:\n    tgt: x\n',
      "error not-a-list x.sls:2 What stands under 'a' is no list",
    ],
    ['broken YAML', 'a:\n  local.test.ping:\n    - tgt: *\n', 'error yaml x.sls:3'],
    [
      'data in a command',
      local('- arg:', '  - rm {{ data.path }}'),
      'warning unquoted x.sls:5 {{ data.path }} goes into a command line as it is. Write {{ data.path | quote }}.',
    ],
    [
      'data in a named command',
      local('- args:', "  - cmd: 'rm {{ data['path'] }}'"),
      "warning unquoted x.sls:5 {{ data['path'] }} goes into",
    ],
  ])('finds %s', (_, text, expected) => {
    expect(lint(text).join('\n')).toContain(expected)
  })

  it.each([
    ['the old form', 'a:\n  local:\n    - test.ping\n    - tgt: x\n'],
    ['quoted data', local('- arg:', '  - rm {{ data.path | quote }} {{ data.n|int }}')],
    ['data that is no command', local('- args:', '  - cmd: ls', '  - cwd: {{ data.dir }}')],
    ['a caller’s positions', 'a:\n  caller.cmd.run:\n    - args:\n      - ls\n'],
    [
      'branches that only one of them makes',
      '{% if x %}\na:\n{% else %}\nb:\n{% endif %}\n  local.test.ping:\n    - tgt: x\n',
    ],
    [
      'the same id in two branches',
      `{% if x %}\n${local('- arg: [ls]')}{% else %}\n${local('- arg: [ls]')}{% endif %}\n`,
    ],
    [
      'the article',
      "{% if data['act'] == 'pend' and data['id'].startswith('web') %}\nminion_add:\n  wheel.key.accept:\n    - match: {{ data['id'] }}\n{% endif %}\n",
    ],
    ['a function that data names', 'a:\n  local.{{ data.fun }}:\n    - tgt: x\n'],
    ['an empty file', ''],
    ['arg and kwarg of a runner', 'a:\n  runner.state.orchestrate:\n    - arg: [x]\n    - kwarg: {pillar: {}}\n'],
  ])('has nothing against %s', (_, text) => {
    expect(lint(text)).toEqual([])
  })

  it('looks at each file once, and at every branch', () => {
    const text = `{% if x %}\n${local('- arg: ls')}{% else %}\nb:\n  runner.nope.nope: []\n{% endif %}\n`
    const files = [
      { reference: 'x.sls', name: '/srv/x.sls', text },
      { reference: 'y.sls', name: '/srv/x.sls', text },
    ]
    const found = lint('', 'custom/x', { files })
    expect(found.map((line) => line.split(' ')[1])).toEqual(['arg-text', 'unknown-function'])
  })

  it('says what Jinja says, and nothing more', () => {
    const checkTemplate = () => ({ line: 3, message: 'unexpected }' })
    expect(lint('a:\n  runer.x: []', 'custom/x', { checkTemplate })).toEqual(['error jinja x.sls:3 unexpected }'])
  })
})

describe('globs', () => {
  it.each([
    [
      'salt/minion/*/started',
      "warning unreachable reactor 'salt/minion/*/started' matches none of Salt's own events. Did you mean 'salt/minion/*/start'?",
    ],
    ['salt/[z-a]', "error never reactor 'salt/[z-a]' matches no tag"],
    ['custom/{a,b}', 'warning braces reactor'],
    ['^custom/.*', 'warning regex reactor'],
    ['custom/[^a]', 'warning caret reactor'],
    ['/custom/x', 'warning margin reactor'],
  ])('finds %s', (glob, expected) => {
    expect(lint('', glob).join('\n')).toContain(expected)
  })

  it.each([
    '*',
    'salt/*',
    'salt/auth',
    'salt/job/*/ret/web*',
    'salt/beacon/*/inotify//etc/x',
    'minion_start',
    'x/[!a]/*',
  ])('has nothing against %s', (glob) => {
    expect(lint('', glob)).toEqual([])
  })

  it('finds a file that is not there, and a pair that is written twice', () => {
    const entries = [
      { glob: 'a', files: ['x.sls', 'gone.sls'] },
      { glob: 'a', files: ['x.sls'] },
    ]
    expect(lint('', 'a', { entries })).toEqual([
      "error no-file reactor 'a' leads to gone.sls, where there is no file. Write it, or take it out.",
      "warning twice reactor 'a' leads to x.sls twice; its reactions run once. Take one out.",
    ])
  })
})

describe('loops', () => {
  it.each([
    ['salt/job/*', local('- arg: [ls]'), 'salt/job/*/new'],
    ['*', 'a:\n  runner.jobs.active: []\n', 'salt/run/*/new'],
    ['salt/key', 'a:\n  wheel.key.accept:\n    - match: x\n', 'salt/key'],
    ['custom/*', 'a:\n  runner.event.send:\n    - args:\n        tag: custom/{{ data.n }}\n', 'custom/*'],
    ['custom/*', 'a:\n  local.event.send:\n    - tgt: x\n    - arg:\n      - custom/again\n', 'custom/again'],
    ['lab/loop*', 'loop:\n  runner.event.send:\n    - tag: lab/loop/again\n', 'lab/loop/again'],
  ])('%s is one with its own reaction', (glob, text, fired) => {
    expect(lint(text, glob).join('\n')).toContain(`warning loop x.sls:2 '${glob}' matches ${fired}, which`)
  })

  it.each([
    ['salt/job/*', `{% if data.fun == 'x' %}\n${local('- arg: [ls]')}{% endif %}\n`],
    ['salt/auth', 'a:\n  wheel.key.accept:\n    - match: x\n'],
    ['custom/a', 'a:\n  runner.event.send:\n    - args:\n        tag: custom/b\n'],
  ])('%s is none', (glob, text) => {
    expect(lint(text, glob).filter((line) => line.includes(' loop '))).toEqual([])
  })
})

it('takes any text without throwing', () => {
  const piece = fc.constantFrom(
    'a',
    ':',
    '\n',
    '  ',
    '- ',
    '{{',
    '}}',
    '{% if x %}',
    '{% endif %}',
    '{#',
    '"',
    "'",
    'local.cmd.run:',
    'tgt: x',
    '[',
    '&a',
    '*a',
    '|',
    'é',
  )
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (body, glob) => {
      for (const found of lint(body, glob)) expect(found).toMatch(/^(?:error|warning) [a-z-]+ /)
    }),
    { numRuns: 1500 },
  )
})
