// Further variants: what of a call decides who is asked and what is told, and how a session is shown.
import { get, json, method, open, plain, posts, proof, request, session, yaml } from './variant-request.ts'

const root = posts('/', session)
const ping = { client: 'local', tgt: 'db1', fun: 'test.ping' }
const arg = { ...ping, fun: 'test.arg' }
const paths = ['/', '/login', '/logout', '/token', '/run', '/jobs', '/minions', '/keys', '/hook/x', '/stats']

/** By subject and name. */
export const furtherVariants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no method of theirs': Object.fromEntries(
    paths.flatMap((path) => [
      [`delete ${path}`, method('DELETE', path)],
      [`delete ${path}, nobody`, request(`DELETE ${path}`)],
    ]),
  ),
  'a session shown': {
    'among other cookies': open('/keys/db1', 'Cookie: a=b; session_id={token}; c=d'),
    'in quotes': open('/keys/db1', 'Cookie: session_id="{token}"'),
    'after a bad one': open('/keys/db1', 'Cookie: session_id=bad; session_id={token}'),
    'before a bad one': open('/keys/db1', 'Cookie: session_id={token}; session_id=bad'),
    'in a small header': open('/keys/db1', 'x-auth-token: {token}'),
    'between blanks': open('/keys/db1', 'X-Auth-Token:   {token}  '),
    'in capitals': open('/keys/db1', 'X-Auth-Token: ABCDEF0123456789ABCDEF0123456789ABCDEF01'),
    'as a path': open('/keys/db1', 'X-Auth-Token: ../../etc/passwd'),
    'in the call': posts('/')(json, [{ ...ping, token: '{token}' }]),
    'beside wrong credentials': root(json, [{ ...ping, ...proof, password: 'no' }]),
    'beside a bad token': root(json, [{ ...ping, token: 'abc' }]),
    'bad, beside credentials for /run': posts('/run', 'X-Auth-Token: bad')(json, [{ ...ping, ...proof }]),
  },
  addresses: {
    'a word for the first page': get('/?x=1'),
    'a call for the first page': get('/?client=local&tgt=db1&fun=test.ping'),
    'a word for a log-in': open('/login?x=1'),
    'HTTP of old': 'GET / HTTP/1.0\r\nAccept: application/json\r\nConnection: close\r\n\r\n',
    'HTTP of old, a page': 'GET /nosuch HTTP/1.0\r\nAccept: application/json\r\nConnection: close\r\n\r\n',
    'a log-in with a slash': open('/login/'),
    'in capitals': open('/Login'),
  },
  'fields of a call': {
    'a nested list': root(json, [{ ...arg, arg: [[1, [2, [3]]], { a: [{}] }] }]),
    'an empty text': root(json, [{ ...arg, arg: '' }]),
    nought: root(json, [{ ...arg, arg: 0 }]),
    'no list but true': root(json, [{ ...arg, arg: true }]),
    'texts with equal signs': root(json, [
      { ...arg, arg: ['a b=c', 'a=b c', 'a==b', 'é=1', '1a=2', '_x=3', 'a.b=4', 'a-b=5'] },
    ]),
    'texts that are yaml': root(json, [
      {
        ...arg,
        arg: ['{a: 1}', '[1,2]', '1', '1.0', 'true', 'None', 'null', '~', '2020-01-01', '0x10', '1_000', '# c'],
      },
    ]),
    'a marked map': root(json, [{ ...arg, arg: [{ __kwarg__: true, a: 1 }] }]),
    'args and kwargs': root(json, [{ ...arg, args: [1], kwargs: { a: 1 } }]),
    'a keyword as a field': root(json, [{ ...ping, fun: 'test.echo', text: 'x' }]),
    'a target that is a map': root(json, [{ ...ping, tgt: { a: 1 } }]),
    'a target that is true': root(json, [{ ...ping, tgt: true }]),
    'no target in a list': root(json, [{ ...ping, tgt: [], tgt_type: 'list' }]),
    'a type that is empty': root(json, [{ ...ping, tgt_type: '' }]),
    'an address': root(json, [{ ...ping, tgt: '127.0.0.1', tgt_type: 'ipcidr' }]),
    'no address': root(json, [{ ...ping, tgt: 'x', tgt_type: 'ipcidr' }]),
    'a bad pattern': root(json, [{ ...ping, tgt: '(', tgt_type: 'pcre' }]),
    'functions by comma': root(json, [{ ...ping, fun: 'test.ping,test.true', arg: [[], []] }]),
    'a returner that is not there': root(json, [{ ...ping, ret: 'nosuch' }]),
    'a user': root(json, [{ ...ping, user: 'someone' }]),
    'a client in capitals': root(json, [{ ...ping, client: 'LOCAL' }]),
    'a client that is null': root(json, [{ ...ping, client: null }]),
    'a client that is a number': root(json, [{ ...ping, client: 1 }]),
    'a client of the class': root(json, [{ ...ping, client: 'run' }]),
    'second, nothing': root(json, [ping, {}]),
    'second, no target': root(json, [ping, { client: 'local', fun: 'test.ping' }]),
    'full return of a ghost': root(json, [
      { ...ping, tgt: ['db1', 'ghost'], tgt_type: 'list', timeout: 1, full_return: true },
    ]),
    'full return of an exit': root(json, [{ ...ping, fun: 'cmd.run', arg: ['exit 3'], full_return: true }]),
    'full return of wrong arguments': root(json, [{ ...ping, arg: ['x'], full_return: true }]),
    'a subset of nought': root(json, [{ ...ping, client: 'local_subset', subset: 0 }]),
    'a subset below nought': root(json, [{ ...ping, client: 'local_subset', subset: -1 }]),
    'a subset that is no number': root(json, [{ ...ping, client: 'local_subset', subset: 'x' }]),
    'a subset of who has it not': root(json, [{ ...ping, client: 'local_subset', subset: 1, fun: 'nosuch.fun' }]),
    'a batch that is no number': root(json, [{ ...ping, client: 'local_batch', batch: 'x' }]),
    'a batch without a target': root(json, [{ client: 'local_batch', fun: 'test.ping' }]),
    'async, to a ghost': root(json, [{ ...ping, client: 'local_async', tgt: ['db1', 'ghost'], tgt_type: 'list' }]),
    'async, no function': root(json, [{ client: 'local_async', tgt: 'db1' }]),
    'as text, not utf-8': root(`${plain}; charset=latin-1`, [ping]),
    'yaml numbers': root(
      yaml,
      'client: local\ntgt: db1\nfun: test.arg\narg: [010, 0o10, 2020-01-01, 1e3, 12:30, yes, 0x1f, .5, 1_000]\n',
    ),
  },
  'runners and wheel functions': {
    'a text for a list': root(json, [{ client: 'runner', fun: 'lab.noop', arg: 'abc' }]),
    'a map for a list': root(json, [{ client: 'runner', fun: 'lab.noop', arg: { a: 1 } }]),
    'yaml in texts': root(json, [{ client: 'runner', fun: 'lab.noop', arg: ['[1]', '{a: 1}'] }]),
    'keywords and fields': root(json, [{ client: 'runner', fun: 'lab.noop', kwarg: { n: 1 }, t0: 2 }]),
    'a keyword twice': root(json, [{ client: 'runner', fun: 'lab.noop', kwarg: { n: 1 }, n: 2 }]),
    'no function of a module': root(json, [{ client: 'runner', fun: 'manage.nosuch' }]),
    'a function that is null': root(json, [{ client: 'runner', fun: null }]),
    'a function that is empty': root(json, [{ client: 'runner', fun: '' }]),
    'arguments as they come': root(json, [
      { client: 'runner', fun: 'test.arg', arg: [1, 'a', null], kwarg: { k: [1] }, own: 'x' },
    ]),
    'an orchestration that is not there': root(json, [{ client: 'runner', fun: 'state.orchestrate', mods: 'nowhere' }]),
    'of another user': root(json, [{ client: 'runner', fun: 'lab.noop', user: 'x', username: 'y' }]),
    'wheel, no dot': root(json, [{ client: 'wheel', fun: 'nosuch' }]),
    'wheel, a list of patterns': root(json, [{ client: 'wheel', fun: 'key.name_match', match: 'db*,web*' }]),
    'wheel, a list': root(json, [{ client: 'wheel', fun: 'key.name_match', match: ['db1'] }]),
    'wheel, asynchronous': root(json, [{ client: 'wheel_async', fun: 'key.finger', match: 'db1' }]),
    'wheel, asynchronous, no function': root(json, [{ client: 'wheel_async' }]),
    'wheel, a number for a path': root(json, [{ client: 'wheel', fun: 'file_roots.find', path: 'nosuch' }]),
  },
}
