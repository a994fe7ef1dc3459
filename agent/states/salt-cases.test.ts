// Commands, functions and events as states, the words of the engine, and what belongs to the machine, against what Salt 3007.15 returned and left there.
import { parseJson, stringifyJson, type Value } from '../../core/value/index.ts'
import { replayTreeCases } from '../../test/system/tree-replay.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('engine-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('machine-cases.jsonl', import.meta.url), { config: 'hosts.file: $ROOT/hosts' })
await replayTreeCases(new URL('ssh-auth-cases.jsonl', import.meta.url))

/** A copy of a crontab has a name of chance. */
const unnamed = (returned: Value): Value =>
  parseJson(stringifyJson(returned).replace(/\/tmp\/(__salt\.tmp\.\w+|brine-cron-\w+\/crontab)/g, '$COPY'))
await replayTreeCases(new URL('added-cases.jsonl', import.meta.url), { form: unnamed })
