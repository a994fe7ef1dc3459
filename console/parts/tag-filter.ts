// Which events one wants to see, from what was typed.
import { tagGlob } from '../../core/event/tag-glob.ts'
import { text } from '../api/api.ts'
import type { SeenEvent } from '../api/bus.ts'

/** What is typed without a glob's signs is looked for anywhere in the tag. */
export function tagFilter(typed: string): (tag: string) => boolean {
  const wanted = typed.trim()
  if (wanted === '') return () => true
  return tagGlob(/[*?[]/.test(wanted) ? wanted : `*${wanted}*`)
}

/** A glob that means this tag alone. */
export function exactly(tag: string): string {
  return tag.replace(/[*?[]/g, '[$&]')
}

/** What the console itself asks: shown on the bus like every run, of little interest there. */
const OWN = new Set(
  [
    ...['event.list', 'event.trace', 'reactor.list', 'reactor.failed', 'reactor.explain', 'reactor.test'],
    ...['jobs.list_jobs', 'jobs.list_job', 'manage.present', 'orch.list', 'orch.show', 'cache.grains', 'doc.execution'],
  ].map((fun) => `runner.${fun}`),
)
  .add('wheel.key.list_all')
  .add('wheel.key.finger')
  .add('wheel.key.identity')

/** Whether an event is the console's own asking by `user`, or what the runner fires on the way. */
export function isOwn({ tag, data }: SeenEvent, user: string): boolean {
  if (tag === 'salt/reactors/manage/list') return true
  return /^salt\/(run|wheel)\//.test(tag) && data?.user === user && OWN.has(text(data.fun))
}

/** The first two parts of a tag: what events are counted by. */
export function groupOf(tag: string): string {
  return tag.split('/').slice(0, 2).join('/')
}
