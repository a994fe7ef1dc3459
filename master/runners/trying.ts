// The runners `test`, `error` and `config`: for trying out, and for looking at the configuration.
import { type Mapping, pythonStr } from '../../core/value/index.ts'
import { traverse } from '../../core/value/traverse.ts'
import { withoutInner } from '../inner-keywords.ts'
import type { MasterFunction } from '../run.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { failing } from './failing.ts'
import { readOnly } from './read-only.ts'
import { docOf } from './runner-doc.ts'

const WORDS: Readonly<Record<string, readonly string[]>> = {
  us: [
    ...['foo', 'bar', 'baz', 'qux', 'quux', 'quuz', 'corge', 'grault'],
    ...['garply', 'waldo', 'fred', 'plugh', 'xyzzy', 'thud'],
  ],
  uk: ['wibble', 'wobble', 'wubble', 'flob'],
}

/** Functions of the runners `test`, `error` and `config`. `opts` is the master's configuration. */
export function testRunner(opts: Mapping, sleep: (seconds: number) => Promise<void>): Record<string, MasterFunction> {
  const shown = withoutSecrets(opts)
  return {
    'test.arg': {
      signature: { params: [], varArgs: true, varKwargs: true },
      doc: docOf('Return the arguments it was given.', ['test.arg foo bar=baz']),
      readOnly: true,
      idempotent: true,
      run: async ({ positional, rest }) => ({ args: [...positional], kwargs: withoutInner(rest) }),
    },
    'test.raw_arg': {
      signature: { params: [], varArgs: true, varKwargs: true },
      doc: docOf('Return the arguments it was given, also those that begin with two underscores.', [
        'test.raw_arg foo __bar=baz',
      ]),
      readOnly: true,
      idempotent: true,
      run: async ({ positional, rest }) => ({ args: [...positional], kwargs: rest }),
    },
    'test.stdout_print': readOnly([], "Print 'foo' and return 'bar'.", ['test.stdout_print'], async (_, { print }) => {
      print('foo')
      return 'bar'
    }),
    'test.stream': readOnly(
      [],
      'Tell 99 times how far it is, a tenth of a second apart, and return True.',
      ['test.stream'],
      async (_, { progress }) => {
        for (let percent = 1; percent < 100; percent++) {
          progress('progress', { message: `Runner is ${percent}% done` })
          await sleep(0.1)
        }
        return true
      },
    ),
    'test.metasyntactic': readOnly(
      [{ name: 'locality', default: 'us' }],
      'Return common metasyntactic variables for a locality.',
      ['test.metasyntactic locality=uk'],
      async ({ named }) => WORDS[pythonStr(named.locality ?? '')]?.slice() ?? null,
    ),
    'test.sleep': readOnly(
      [{ name: 's_time', default: 10 }],
      'Sleep so many seconds.',
      ['test.sleep 5'],
      async ({ named }, { print }) => {
        print(pythonStr(named.s_time ?? 10))
        await sleep(Number(pythonStr(named.s_time ?? 10)))
        return true
      },
    ),
    'test.get_opts': readOnly(
      [],
      "Return the master's configuration; secrets are masked.",
      ['test.get_opts'],
      async () => shown,
    ),
    'error.error': failing((line) =>
      docOf('Fail with an error of this name and message; without a name, return nothing.', [line]),
    ),
    'config.get': readOnly(
      [{ name: 'key' }, { name: 'default', default: '' }, { name: 'delimiter', default: ':' }],
      "Return a value of the master's configuration, at any depth; secrets are masked.",
      ['config.get gather_job_timeout', 'config.get external_auth:file'],
      async ({ named }) =>
        traverse(shown, pythonStr(named.key ?? ''), pythonStr(named.delimiter ?? ':')) ?? named.default ?? '',
    ),
  }
}
