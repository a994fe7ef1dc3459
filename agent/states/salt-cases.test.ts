// Commands, functions and events as states, and the words of the engine, against what Salt 3007.15 returned and left there.
import { replayTreeCases } from '../../test/system/tree-replay.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url))
await replayTreeCases(new URL('engine-cases.jsonl', import.meta.url))
