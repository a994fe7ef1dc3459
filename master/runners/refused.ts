// Runners of Salt's that Brine has not: refused by name, with what to do instead.
import { type MasterFunction, RunError } from '../run.ts'
import { docOf } from './runner-doc.ts'

/** Names below each module, why there is none, and what to do. */
const refused: readonly (readonly [module: string, names: string, reason: string, instead: string])[] = [
  ['ssh', 'cmd', 'Brine has no salt-ssh.', 'Install a minion, and `brine NAME …`.'],
  ['thin', 'generate generate_min', 'Brine has no salt-ssh.', 'Install the package, or dist/brine-minion.mjs alone.'],
  [
    'saltutil',
    'sync_all sync_cache sync_clouds sync_eauth_tokens sync_engines sync_executors sync_fileserver sync_grains sync_modules sync_output sync_pillar sync_proxymodules sync_queues sync_renderers sync_returners sync_roster sync_runners sync_sdb sync_serializers sync_states sync_thorium sync_tops sync_utils sync_wheel sync_wrapper',
    'the master keeps no copies of modules: runners are read from _runners/ when it starts.',
    "Start the master again for changed runners; minions sync their own: `brine '*' saltutil.sync_all`.",
  ],
  [
    'auth',
    'mk_token del_token',
    'tokens are given for a proof alone.',
    'POST /login and /logout of the API (docs/api.md), or `brine -T`.',
  ],
  [
    'sdb',
    'get set delete get_or_set_hash',
    'there are no sdb drivers.',
    'Keep secrets in ext_pillar (Secrets Manager, SSM parameters; docs/configuration.md).',
  ],
  ['git_pillar', 'update', 'pillar comes from no git repository.', 'Update pillar_roots with git yourself.'],
  ['winrepo', 'genrepo update_git_repos', 'minions run on Linux.', 'Use pkg and pkgrepo.'],
  [
    'queue',
    'insert insert_runner delete list_items list_length list_queues pop process_queue process_runner',
    'there are no queues to fill: reactions and jobs are kept until they were done.',
    'React to the event itself; a job waits for its minion.',
  ],
  [
    'network',
    'wol wollist wolmatch',
    'the master need not stand in the network of the machines.',
    'Ask a minion that does: `brine NAME network.wol MAC`.',
  ],
  [
    'pkg',
    'list_upgrades',
    'it reads a job that has run.',
    "`brine '*' pkg.list_upgrades`, and `brine-run survey.hash '*' pkg.list_upgrades` for those alike.",
  ],
  ['reactor', 'set_leader', 'there is one master, and it leads.', '`brine-run reactor.is_leader` is True.'],
]

/** Each of them throws why it is not there. */
export function refusedRunners(): Record<string, MasterFunction> {
  return Object.fromEntries(
    refused.flatMap(([module, names, reason, instead]) =>
      names.split(' ').map((name): [string, MasterFunction] => {
        const fun = `${module}.${name}`
        return [
          fun,
          {
            signature: { params: [], varArgs: true, varKwargs: true },
            doc: docOf(`Refused: ${reason} ${instead}`, [fun]),
            readOnly: true,
            idempotent: true,
            async run() {
              throw new RunError(`${fun} is not there: ${reason} ${instead}`)
            },
          },
        ]
      }),
    ),
  )
}
