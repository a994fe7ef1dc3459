// The file states on real trees against what Salt 3007.15 returned and left there.
import { inOneOrder, replayTreeCases } from '../../../test/system/tree-replay.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url), { form: inOneOrder })
