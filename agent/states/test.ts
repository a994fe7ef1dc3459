// The `test` states of the minion: what the core has of them, with their docs.
import { testStates } from '../../core/state/index.ts'
import { type AgentState, type StateModule, slsExample } from './state-module.ts'

const docs: Readonly<Record<string, string>> = {
  nop: `Do nothing and succeed. Further arguments are taken and ignored.${slsExample(`
test:
  test.nop`)}`,
  succeed_without_changes: `Succeed and change nothing.

comment
    The comment of the result.`,
  succeed_with_changes: `Succeed and say that something was changed.

comment
    The comment of the result.`,
  fail_without_changes: `Fail and change nothing.

comment
    The comment of the result.`,
  fail_with_changes: `Fail and say that something was changed.

comment
    The comment of the result.`,
  configurable_test_state: `Do nothing, and return what is asked for.

changes
    True, False, or Random.
result
    True, False, or Random.
comment
    The comment of the result.
warnings
    A text or a list of texts.${slsExample(`
my-test:
  test.configurable_test_state:
    - changes: True
    - result: False
    - comment: bar.baz`)}`,
  show_notification: `Show a text in the comment.${slsExample(`
Hello world:
  test.show_notification:
    - text: |
        Information like the password of a database`)}`,
  mod_watch: 'Called where something that is watched has changed: says which.',
  check_pillar: `Fail where values of the pillar are missing or of another type.

present
    Paths that have to be there.
boolean, integer, string, listing, dictionary
    Paths whose value has to be of that type.${slsExample(`
required-keys:
  test.check_pillar:
    - present:
      - some_other_key
    - string:
      - nginx:version`)}`,
}

const names = Object.keys(testStates({ pillar: () => ({}), random: () => 0 }))

/** Salt's `test` states. */
export const test: StateModule = {
  name: 'test',
  functions: Object.fromEntries(names.map((full) => [full.slice('test.'.length), stateOf(full)])),
}

function stateOf(full: string): AgentState {
  const shape = testStates({ pillar: () => ({}), random: () => 0 })[full]
  if (shape === undefined) throw new Error(`there is no ${full}`)
  return {
    signature: shape.signature,
    doc: docs[full.slice('test.'.length)] ?? '',
    async run(args, call) {
      const { agent, test: isTest, low, env, running } = call
      const states = testStates({ pillar: () => agent.pillar(), random: () => agent.outside.random() })
      const named = Object.fromEntries(shape.signature.params.map(({ name }) => [name, args.value(name)]))
      const returned = states[full]?.run({ ...named, ...args.keywords }, { test: isTest, low, env, running })
      // The core checks what a state returned, whatever its shape.
      return (await returned) as Awaited<ReturnType<AgentState['run']>>
    },
  }
}
