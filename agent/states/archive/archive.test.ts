// The archive states and functions on real archives against what Salt 3007.15 returned and left there.
import { replayTreeCases } from '../../../test/system/tree-replay.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url), { rootly: /root|nobody/ })
