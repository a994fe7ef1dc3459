// fnmatch.jsonl: `pattern`, `tag`, whether Python's fnmatch takes it.
import { matchTag } from '../../../core/event/tag-glob.ts'
import { get } from '../../../core/value/index.ts'
import { type Suite, text } from '../suite.ts'

export const suite: Suite = {
  keys: ['pattern', 'tag', 'match'],
  judge(row) {
    const got = matchTag(text(row, 'pattern'), text(row, 'tag'))
    return got === get(row, 'match') ? undefined : String(got)
  },
}
