// Salt's `event` states: an event is fired when the run comes to it, or when something changed.
import { type AgentState, defineState, type StateModule, slsExample } from './state-module.ts'

const sendArguments =
  'name, data=None, preload=None, with_env=False, with_grains=False, with_pillar=False, show_changed=True, **kwargs'

const send: AgentState['run'] = async (args, call) => {
  const name = args.value('name')
  const data = args.value('data')
  const changes = args.is('show_changed') ? { tag: name, data } : {}
  if (call.test) return { name, changes, result: null, comment: 'Event would have been fired' }
  const { sfun: _, ...rest } = args.cleanKeywords
  const given = args.given(['data', 'preload', 'with_env', 'with_grains', 'with_pillar'])
  const sent = await call.salt('event.send', [name], { ...rest, ...given })
  return { name, changes, result: sent === true, comment: 'Event fired' }
}

const doc = `Send an event to the master. Its name is the tag.

data
    A map; what is not one is left out.
with_env, with_grains, with_pillar
    True puts the environment, the grains or the pillar in, a list of names only those.
show_changed
    False: the run shows no changes.

Every other argument becomes part of the data.${slsExample(`
mycompany/mystaff/hr:
  event.send:
    - data:
        personal: False`)}`

/** Salt's `event` states. */
export const event: StateModule = {
  name: 'event',
  functions: {
    send: defineState(sendArguments, doc, send),
    fire_master: defineState(sendArguments, doc, send),
    mod_watch: defineState(`${sendArguments}`, doc, send),
    wait: defineState(
      'name, sfun=None, data=None',
      `Send an event only when a state it watches changes.${slsExample(`
mycompany/mystaff/hr:
  event.wait:
    - watch:
      - file: /etc/app.conf`)}`,
      (args) => ({ name: args.value('name'), changes: {}, result: true, comment: '' }),
    ),
  },
}
