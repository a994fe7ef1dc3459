// Events: to the master, and on the minion's own bus.
import { isMapping, type Mapping, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'

/** `True` takes the whole map, a list the keys it names that exist. */
function subset(which: Value, all: () => Mapping): Mapping | undefined {
  if (!pythonTruth(which)) return undefined
  if (!Array.isArray(which)) return all()
  return Object.fromEntries(Object.entries(all()).filter(([key]) => which.includes(key)))
}

/** What `event.send` sends: environment, grains, pillar, keywords, data, the later over the earlier. */
function payload(args: Arguments, call: Call): Mapping {
  const { agent } = call
  const environ = subset(args.value('with_env'), () => ({ ...process.env }) as Mapping)
  const grains = subset(args.value('with_grains'), () => agent.grains.all())
  const pillar = subset(args.value('with_pillar'), () => agent.pillar())
  const data = args.value('data')
  return {
    ...(environ === undefined ? {} : { environ }),
    ...(grains === undefined ? {} : { grains }),
    ...(pillar === undefined ? {} : { pillar }),
    ...(args.is('with_env_opts')
      ? { saltenv: agent.opts.saltenv ?? null, pillarenv: agent.opts.pillarenv ?? null }
      : {}),
    ...args.keywords,
    ...(isMapping(data)
      ? data
      : data instanceof Map
        ? Object.fromEntries([...data].map(([key, value]) => [String(key), value]))
        : {}),
  }
}

function send(args: Arguments, call: Call): Promise<boolean> {
  const tag = args.text('tag')
  const data = payload(args, call)
  return call.agent.isLocal ? call.agent.fireLocal(tag, data) : fireMaster(tag, data, args.value('preload'), call)
}

async function fireMaster(tag: string, data: Value, preload: Value, call: Call): Promise<boolean> {
  if (call.agent.isLocal) {
    call.agent.outside.log.warn(`Local mode detected. Event with tag ${tag} will NOT be sent.`)
    return false
  }
  return call.agent.fireMaster({ tag, data, ...(isMapping(preload) ? { preload } : {}) })
}

/** Salt's `event` module. */
export const event: ExecutionModule = {
  name: 'event',
  file: 'event',
  functions: {
    send: define(
      'tag, data=None, preload=None, with_env=False, with_grains=False, with_pillar=False, with_env_opts=False, **kwargs',
      `Send an event to the master.

tag
    Use slashes to say what belongs together: \`\`myco/build/server1/success\`\`.

data
    A dictionary to send. What is not one is left out.

with_env, with_grains, with_pillar
    True puts the environment, the grains or the pillar into the event, a list of names only those.
    Pillar is often secret: name what is needed.

with_env_opts
    True puts \`\`saltenv\`\` and \`\`pillarenv\`\` into the event.

Every other keyword argument becomes part of the data.${examples('brine-call event.send myco/mytag foo=Foo bar=Bar', "brine-call event.send 'myco/mytag' '{foo: Foo, bar: Bar}'")}`,
      send,
    ),
    fire: define(
      'data, tag',
      `Fire an event on the minion's own bus. The data must be a dictionary.${examples(`brine '*' event.fire '{"data":"my event data"}' 'tag'`)}`,
      (args, call) => {
        const data = args.value('data')
        return isMapping(data) && args.text('tag') !== '' ? call.agent.fireLocal(args.text('tag'), data) : false
      },
    ),
    fire_master: define(
      'data, tag, preload=None',
      `Fire an event to the master, the data first.${examples(`brine '*' event.fire_master '{"data":"my event data"}' 'tag'`)}`,
      (args, call) => fireMaster(args.text('tag'), args.value('data'), args.value('preload'), call),
    ),
  },
}
