// Commands, functions and events as states, the words of the engine, and what belongs to the machine, against what Salt 3007.15 returned and left there.
import { tmpdir } from 'node:os'
import { parseJson, stringifyJson, type Value } from '../../core/value/index.ts'
import { replayTreeCases } from '../../test/system/tree-replay.ts'
import { kmodAt } from '../modules/kmod.ts'
import { localeAt } from '../modules/locale.ts'
import { timezoneAt } from '../modules/timezone.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('engine-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('machine-cases.jsonl', import.meta.url), { config: 'hosts.file: $ROOT/hosts' })
await replayTreeCases(new URL('ssh-auth-cases.jsonl', import.meta.url))

/** A copy of a crontab has a name of chance. */
const unnamed = (returned: Value): Value =>
  parseJson(
    stringifyJson(returned)
      .replaceAll(`${tmpdir()}/`, '/tmp/')
      .replace(/\/tmp\/(__salt\.tmp\.\w+|brine-cron-\w+\/crontab)/g, '$COPY'),
  )
await replayTreeCases(new URL('added-cases.jsonl', import.meta.url), { form: unnamed, rootly: /root|daemon/ })

/** The running kernel's name stands in paths; Salt lists modules in the order of a set. */
const sorted = (returned: Value): Value =>
  parseJson(
    stringifyJson(returned).replace(
      /(Kernel modules?|kernel modules?) ([\w, ]+?)( are|\\n|")/g,
      (_, a, list, b) => `${a} ${String(list).split(', ').sort().join(', ')}${b}`,
    ),
  )
await replayTreeCases(new URL('system-cases.jsonl', import.meta.url), {
  form: sorted,
  config: 'grains: {role: web, systemd: null}',
  only: ['sh', 'bash', 'cat', 'cp', 'date', 'dirname', 'grep', 'mv', 'rm'],
  modules: (root) => [timezoneAt(root), localeAt(root), kmodAt(root, '$KERNEL')],
})
await replayTreeCases(new URL('ssh-known-hosts-cases.jsonl', import.meta.url))
