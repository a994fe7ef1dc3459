// Functions to try a minion out with: they answer, wait, fail and show their arguments.
import { createHash, randomInt } from 'node:crypto'
import { float, integer, type Mapping, pythonRepr, type Value } from '../../core/value/index.ts'
import { pause } from '../connection/backoff.ts'
import { brineVersion, nodeVersion, saltVersion } from '../version.ts'
import { integerOf } from './arguments.ts'
import * as errors from './errors.ts'
import { define, type ExecutionModule, examples } from './module.ts'
import { pythonType } from './python-type.ts'

const { PythonError } = errors

async function sleep(seconds: number, signal: AbortSignal): Promise<true> {
  if (seconds < 0) throw new PythonError('ValueError', 'sleep length must be non-negative')
  await pause(seconds * 1000, signal)
  return true
}

const since = (start: number): Value => float((performance.now() - start) / 1000)

function fibonacci(number: number): Value {
  if (number < 0) throw new PythonError('ValueError', 'Negative number is not allowed!')
  const start = performance.now()
  let [before, now] = [0n, 1n]
  for (let step = 1; step < number; step++) [before, now] = [now, before + now]
  return [number < 2 ? number : integer(now), since(start)]
}

function collatz(from: number): Value {
  const begin = performance.now()
  const steps: Value[] = []
  // Python divides to floats here: every number after the first even one is one.
  let divided = false
  for (let number = from; number !== 1; ) {
    if (number < 1) throw new PythonError('ValueError', 'The sequence of a number below 1 never ends at 1.')
    steps.push(divided ? float(number) : number)
    divided ||= number % 2 === 0
    number = number % 2 === 0 ? number / 2 : number * 3 + 1
  }
  return [steps, since(begin)]
}

function raise(name: string, words: readonly Value[]): Value {
  const message =
    words.length === 1 ? String(words[0]) : words.length === 0 ? '' : `(${words.map(pythonRepr).join(', ')})`
  switch (name.replace(/^salt\.exceptions\./, '')) {
    case 'CommandExecutionError':
      throw new errors.CommandExecutionError(message)
    case 'CommandNotFoundError':
      throw new errors.CommandNotFoundError(message)
    case 'SaltInvocationError':
      throw new errors.SaltInvocationError(message)
    default:
      if (!/(Error|Exception|Interrupt|Exit|StopIteration)$/.test(name)) return false
      throw new PythonError(name, message)
  }
}

const versions = (): string =>
  [
    'Brine Version:',
    `         Brine: ${brineVersion}`,
    `         Salt: ${saltVersion} (the version it speaks)`,
    ' ',
    'Dependency Versions:',
    `       Node.js: ${nodeVersion}`,
    '',
  ].join('\n')

/** Salt's `test` module. */
export const test: ExecutionModule = {
  name: 'test',
  file: 'test',
  functions: {
    ping: define(
      '',
      `Used to make sure the minion is up and responding. Not an ICMP ping.\n\nReturns \`\`True\`\`.${examples("brine '*' test.ping")}`,
      () => true,
      { readOnly: true },
    ),
    echo: define(
      'text',
      `Return a string - used for testing the connection${examples("brine '*' test.echo 'foo bar baz quo qux'")}`,
      (args) => args.value('text'),
      { readOnly: true },
    ),
    sleep: define(
      'length',
      `Wait that many seconds on the minion, then return \`\`True\`\`.${examples("brine '*' test.sleep 20")}`,
      (args, call) => sleep(args.integer('length'), call.signal),
    ),
    rand_sleep: define(
      'max=60',
      `Wait a random number of seconds, at most \`\`max\`\`: for jobs whose minions return at different times.${examples("brine '*' test.rand_sleep 60")}`,
      (args, call) => sleep(randomInt(0, args.integer('max') + 1), call.signal),
    ),
    arg: define(
      '*args, **kwargs',
      `Return the arguments as they arrived: \`\`{"args": args, "kwargs": kwargs}\`\`, with what the publication added.${examples(`brine '*' test.arg 1 "two" 3.1 txt="hello" wow='{a: 1, b: "hello"}'`)}`,
      (args) => ({ args: [...args.positional], kwargs: args.keywords }),
    ),
    kwarg: define(
      '**kwargs',
      `Return the keyword arguments as they arrived, with what the publication added.${examples(`brine '*' test.kwarg num=1 txt="two" env='{a: 1, b: "hello"}'`)}`,
      (args) => args.keywords,
    ),
    arg_clean: define(
      '*args, **kwargs',
      `Like test.arg, without the \`\`__pub_*\`\` keywords.${examples(`brine '*' test.arg_clean 1 "two" 3.1 txt="hello" wow='{a: 1, b: "hello"}'`)}`,
      (args) => ({ args: [...args.positional], kwargs: args.cleanKeywords }),
    ),
    arg_type: define(
      '*args, **kwargs',
      `Return the types of the arguments.${examples("brine '*' test.arg_type 1 'int'")}`,
      (args) => ({
        args: args.positional.map(pythonType),
        kwargs: Object.fromEntries(Object.entries(args.keywords).map(([key, value]) => [key, pythonType(value)])),
      }),
    ),
    arg_repr: define(
      '*args, **kwargs',
      `Return the arguments as Python prints them.${examples(`brine '*' test.arg_repr 1 "two" 3.1 txt="hello" wow='{a: 1, b: "hello"}'`)}`,
      (args) => ({
        args: tupleRepr(args.positional),
        kwargs: pythonRepr(args.keywords),
      }),
    ),
    fib: define(
      'num',
      `Return the \`\`num\`\`-th Fibonacci number and the seconds it took.${examples("brine '*' test.fib 3")}`,
      (args) => fibonacci(args.integer('num')),
    ),
    collatz: define(
      'start',
      `Return the Collatz sequence that begins at a number, and the seconds it took.${examples("brine '*' test.collatz 3")}`,
      (args) => collatz(args.integer('start')),
    ),
    outputter: define(
      'data',
      `Return the data, to try an outputter with.${examples("brine '*' test.outputter foobar")}`,
      (args) => args.value('data'),
    ),
    retcode: define(
      'code=42',
      `Return \`\`True\`\` with that return code.${examples("brine '*' test.retcode 42")}`,
      (args, call) => {
        call.context.retcode = integerOf(args.value('code'))
        return true
      },
    ),
    true: define('', `Always return \`\`True\`\`${examples("brine '*' test.true")}`, () => true, { readOnly: true }),
    false: define('', `Always return \`\`False\`\`${examples("brine '*' test.false")}`, () => false, {
      readOnly: true,
    }),
    exception: define(
      "message='Test Exception'",
      `Raise an exception with that message.${examples("brine '*' test.exception 'Oh noes!'")}`,
      (args) => {
        throw new PythonError('Exception', args.text('message'))
      },
    ),
    raise_exception: define(
      'name, *args, **kwargs',
      `Raise the exception of that name: Python's, or one of \`\`salt.exceptions\`\`. An unknown name returns \`\`False\`\`.${examples(`brine '*' test.raise_exception TypeError "An integer is required"`, `brine '*' test.raise_exception salt.exceptions.CommandExecutionError "Something went wrong"`)}`,
      (args) => raise(args.text('name'), args.positional),
    ),
    assertion: define('assertion', `Assert the given argument${examples("brine '*' test.assertion False")}`, (args) => {
      if (!args.is('assertion')) throw new PythonError('AssertionError', '')
      return null
    }),
    try: define(
      'module, return_try_exception=False, **kwargs',
      `Run a function and return None where it raises an exception, or the exception's text where \`\`return_try_exception\`\` is True.${examples("brine '*' test.try cmd.run cmd=nosuch")}`,
      async (args, call) => {
        try {
          return await call.salt(args.text('module'), [], args.cleanKeywords)
        } catch (error) {
          return args.is('return_try_exception') ? (error instanceof Error ? error.message : String(error)) : null
        }
      },
    ),
    cross_test: define(
      'func, args=None',
      `Run another function of this minion.${examples("brine '*' test.cross_test test.echo '[hello]'")}`,
      (args, call) => {
        const list = args.value('args')
        return call.salt(args.text('func'), Array.isArray(list) ? list : [])
      },
    ),
    tty: define(
      '*args, **kwargs',
      `Moved to cmd.tty.${examples("brine '*' test.tty tty0 'This is a test'")}`,
      () => 'ERROR: This function has been moved to cmd.tty',
    ),
    stack: define(
      '',
      `Return the current stack trace${examples("brine '*' test.stack")}`,
      () => new Error('here').stack ?? '',
    ),
    version: define(
      '',
      `Return the version of Salt the minion speaks${examples("brine '*' test.version")}`,
      () => saltVersion,
      { readOnly: true },
    ),
    versions_report: define(
      '',
      `Return the versions of what the minion is made of${examples("brine '*' test.versions_report")}`,
      versions,
      { readOnly: true },
    ),
    versions: define('', `Alias of test.versions_report${examples("brine '*' test.versions")}`, versions, {
      readOnly: true,
    }),
    versions_information: define(
      '',
      `Return the versions of what the minion is made of, as data${examples("brine '*' test.versions_information")}`,
      () => ({
        'Salt Version': { Salt: saltVersion },
        'Brine Version': { Brine: brineVersion },
        'Dependency Versions': { 'Node.js': nodeVersion },
      }),
      { readOnly: true },
    ),
    conf_test: define(
      '',
      `Return the value of \`\`test.foo\`\` in the minion's configuration, or \`\`unconfigured\`\`.${examples("brine '*' test.conf_test")}`,
      (_, call) => call.salt('config.option', ['test.foo', 'unconfigured']),
    ),
    get_opts: define(
      '',
      `Return the minion's configuration.${examples("brine '*' test.get_opts")}`,
      (_, call) => call.agent.opts,
    ),
    opts_pkg: define(
      '',
      `Return the minion's configuration with its grains.${examples("brine '*' test.opts_pkg")}`,
      (_, call) => ({ ...call.agent.opts, grains: call.agent.grains.all() }),
    ),
    attr_call: define(
      '',
      `Return the grains, by way of grains.items.${examples("brine '*' test.attr_call")}`,
      (_, call) => call.salt('grains.items'),
    ),
    provider: define(
      'module',
      `Return the name of the file that provides a module's functions.${examples("brine '*' test.provider service")}`,
      (args, call) => {
        const [first] = call.agent.functions.names().filter((name) => name.startsWith(`${args.text('module')}.`))
        return first === undefined ? '' : (call.agent.functions.fileOf(first) ?? '')
      },
      { readOnly: true },
    ),
    providers: define(
      '',
      `Return which file provides which module.${examples("brine '*' test.providers")}`,
      (_, call) => {
        const providers: Mapping = {}
        for (const name of call.agent.functions.names()) {
          const module = name.slice(0, name.indexOf('.'))
          providers[call.agent.functions.fileOf(name) ?? module] ??= module
        }
        return providers
      },
      { readOnly: true },
    ),
    not_loaded: define(
      '',
      `List the modules that could not be loaded: a built-in module always is.${examples("brine '*' test.not_loaded")}`,
      () => [],
      { readOnly: true },
    ),
    module_report: define(
      '',
      `Return all functions and modules this minion has.${examples("brine '*' test.module_report")}`,
      (_, call) => {
        const functions = call.agent.functions.names()
        const modules = [...new Set(functions.map((name) => name.slice(0, name.indexOf('.'))))]
        return {
          functions,
          function_attrs: functions,
          function_subs: functions,
          modules,
          module_attrs: modules,
          missing_attrs: [],
          missing_subs: [],
        }
      },
      { readOnly: true },
    ),
    random_hash: define(
      'size=9999999999, hash_type=None',
      `Return the hash of a random number between 1 and \`\`size\`\`.${examples("brine '*' test.random_hash", "brine '*' test.random_hash hash_type=sha512")}`,
      (args) => randomHash(args.integer('size'), args.textIfAny('hash_type') ?? 'sha256'),
    ),
    rand_str: define(
      'size=9999999999, hash_type=None',
      `The old name of test.random_hash.${examples("brine '*' test.rand_str")}`,
      (args) => randomHash(args.integer('size'), args.textIfAny('hash_type') ?? 'sha256'),
    ),
    deprecation_warning: define(
      '',
      `Return \`\`True\`\` and write a warning to the minion's log.${examples("brine '*' test.deprecation_warning")}`,
      (_, call) => {
        call.agent.outside.log.warn('This is a test deprecation warning.')
        return true
      },
    ),
  },
}

function randomHash(size: number, type: string): string {
  return createHash(type)
    .update(String(randomInt(1, Math.min(size, 2 ** 47) + 1)))
    .digest('hex')
}

function tupleRepr(values: readonly Value[]): string {
  return values.length === 1 ? `(${pythonRepr(values[0] ?? null)},)` : `(${values.map(pythonRepr).join(', ')})`
}
