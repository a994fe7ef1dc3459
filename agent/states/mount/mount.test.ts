// The mount module and states, with programs that play mount, umount, blkid and swapon, against what Salt 3007.15 returned and left there.
import { replayTreeCases } from '../../../test/system/tree-replay.ts'
import { mountAt } from '../../modules/mount/mount.ts'

await replayTreeCases(new URL('salt-cases.jsonl', import.meta.url), {
  only: ['sh', 'bash', 'awk', 'cat', 'cp', 'dirname', 'grep', 'mv', 'rm'],
  // What is remembered between calls goes with the tree.
  modules: (root) => [mountAt(root, `${root}/srv`)],
})
