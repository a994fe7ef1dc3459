// Where ours differs from Salt on purpose, by the variant's name.

const as3008 = 'as 3008 says it, whose requisites these are'
const docs = 'documentation is our own'

/** Why. */
export const decided: Readonly<Record<string, string>> = {
  'orch requisite_missing': as3008,
  'orch requisite_cycle': as3008,
  'orch unknown_function': 'the message says what there is',
  'orch: no file': docs,
  'orch: single runner': 'Salt tells the progress under the jid of the step, and prints none',
  'orch: single test': 'Salt leaves test=True out and does it',
  'schedule: copy': 'it is said that a minion may not; Salt says that nobody answered, with the result True',
  'schedule: move': 'the same',
  'send: as salt itself': 'a minion may not fire events of the master',
  'run: event.send no tag': docs,
  'run: reactor.add': 'the master does not tell its secret on the bus',
  'run: wrong keyword': docs,
  'salt.cmd wrong arguments': docs,
  'state require_missing': as3008,
  'state require_cycle': as3008,
  'call unknown keyword': 'Salt fails without a word',
  'reaction local_arg_text': 'Salt takes a text apart into its letters',
  'reaction local_arg_number': 'a single argument is a list of one; Salt runs nothing',
  'reaction runner_arg': 'Salt says of a call that never ran that it was successful',
  'reaction runner_args_unknown': docs,
  'reaction sees_salt_cmd': 'templates ask, and change nothing',
  'reacts: two patterns': 'the same ID in two files: both run',
  jid: 'Salt has no such option yet',
  'target: pcre bad': 'says what is wrong with the pattern',
}
