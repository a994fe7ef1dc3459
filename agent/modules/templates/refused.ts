// Salt's `sdb` and `publish` modules, which the minion does not have: what is asked of them is refused with what to use instead.

import type { Arguments } from '../arguments.ts'
import { CommandExecutionError } from '../errors.ts'
import { define, type ExecutionFunction, type ExecutionModule, examples } from '../module.ts'

const noDriver = (uri: string): CommandExecutionError =>
  new CommandExecutionError(
    `${uri} cannot be asked for: there are no drivers of sdb. Keep the value in the pillar, which ext_pillar can take from a secret store, and ask for it by pillar.get.`,
  )

/** A text that is no `sdb://` is its own value, as in Salt; `strict` refuses it. */
function value(args: Arguments): string {
  const uri = args.text('uri')
  if (uri.startsWith('sdb://')) throw noDriver(uri)
  if (args.is('strict')) throw new CommandExecutionError(`SDB uri must start with "sdb://": ${uri}`)
  return uri
}

/** False for a text that is no `sdb://`, as in Salt. */
function change(args: Arguments): false {
  const uri = args.text('uri')
  if (uri.startsWith('sdb://')) throw noDriver(uri)
  return false
}

/** Salt's `sdb` module. */
export const sdb: ExecutionModule = {
  name: 'sdb',
  file: 'sdb',
  functions: {
    get: define(
      'uri, strict=False',
      `Refused, since there are no drivers; a text that does not begin with \`\`sdb://\`\` is returned as it is. Use pillar.get.${examples("brine '*' sdb.get sdb://mymemcached/foo")}`,
      value,
      { readOnly: true },
    ),
    set: define(
      'uri, value',
      `Refused, since there are no drivers.${examples("brine '*' sdb.set sdb://mymemcached/foo bar")}`,
      change,
    ),
    delete: define(
      'uri',
      `Refused, since there are no drivers.${examples("brine '*' sdb.delete sdb://mymemcached/foo")}`,
      change,
    ),
    get_or_set_hash: define(
      "uri, length=8, chars='abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)'",
      `Refused, since there are no drivers. Use random.get_str once, and keep what it returns in the pillar.${examples("brine '*' sdb.get_or_set_hash 'sdb://mymemcached/SECRET_KEY' 50")}`,
      change,
    ),
  },
}

const refusing = (name: string, params: string, instead: string, example: string): ExecutionFunction =>
  define(params, `Refused: minions do not send each other jobs. ${instead}${examples(example)}`, () => {
    throw new CommandExecutionError(`publish.${name} is not available: minions do not send each other jobs. ${instead}`)
  })

const byMine =
  'Use mine.get for what other minions tell, or an event and a reaction of the master for what they are to do.'
const publishWords = "tgt, fun, arg=None, tgt_type='glob', returner='', timeout=5, via_master=None"

/** Salt's `publish` module. */
export const publish: ExecutionModule = {
  name: 'publish',
  file: 'publish',
  functions: {
    publish: refusing('publish', publishWords, byMine, "brine '*' publish.publish '*' test.ping"),
    full_data: refusing('full_data', publishWords, byMine, "brine '*' publish.full_data '*' test.ping"),
    runner: refusing(
      'runner',
      'fun, arg=None, timeout=5',
      'Fire an event with event.send, and have a reaction call the runner.',
      "brine '*' publish.runner manage.down",
    ),
  },
}
