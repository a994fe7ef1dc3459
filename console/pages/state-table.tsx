// What states did, as a table: failed first, then changed, then the others.
import { asMap, type Json, type JsonMap, text } from '../api/api.ts'
import { Table } from '../parts/table.tsx'

/** True for what `state.apply` and the like return. */
export function isHighstate(value: Json): boolean {
  const entries = Object.entries(asMap(value))
  return entries.length > 0 && entries.every(([tag, state]) => tag.includes('_|-') && asMap(state).result !== undefined)
}

interface State {
  readonly id: string
  readonly fun: string
  readonly kind: 'failed' | 'changed' | 'would change' | 'as wanted'
  readonly comment: string
  readonly changes: JsonMap
  readonly milliseconds: number
  readonly order: number
}

const KINDS = ['failed', 'changed', 'would change', 'as wanted'] as const
const BADGES = { failed: 'bad', changed: 'warn', 'would change': 'warn', 'as wanted': 'good' } as const

/** The table for one minion. */
export function StateTable({ value, id }: { readonly value: JsonMap; readonly id: string }) {
  const states = Object.entries(value)
    .map(([tag, state]) => stateOf(tag, asMap(state)))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.order - b.order)
  const counts = KINDS.map((kind) => [kind, states.filter((state) => state.kind === kind).length] as const)
  const rows = states.map((state) => ({
    key: `${state.order} ${state.id}`,
    cells: [
      <span key="id">
        {state.id}
        <span class="note mono"> {state.fun}</span>
      </span>,
      <span key="kind" class={`badge ${BADGES[state.kind]}`}>
        {state.kind}
      </span>,
      <div key="comment">
        {state.comment}
        {Object.keys(state.changes).length === 0 ? null : <pre class="changes">{changesOf(state.changes)}</pre>}
      </div>,
      `${Math.round(state.milliseconds)} ms`,
    ],
  }))
  return (
    <>
      <p class="note">
        {states.length} states:{' '}
        {counts
          .filter(([, count]) => count > 0)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}
        , {Math.round(states.reduce((sum, { milliseconds }) => sum + milliseconds, 0))} ms
      </p>
      <Table label={`States of ${id}`} heads={['State', 'Result', 'Comment and changes', '-Time']} rows={rows} />
    </>
  )
}

function stateOf(tag: string, state: JsonMap): State {
  const [module = '', , , fun = ''] = tag.split('_|-')
  const changes = asMap(state.changes)
  const kind =
    state.result === false
      ? 'failed'
      : state.result === null
        ? 'would change'
        : Object.keys(changes).length > 0
          ? 'changed'
          : 'as wanted'
  return {
    id: text(state.__id__) || text(state.name),
    fun: `${module}.${fun}`,
    kind,
    comment: text(state.comment),
    changes,
    milliseconds: Number(state.duration ?? 0),
    order: Number(state.__run_num__ ?? 0),
  }
}

/** A diff as it is, other changes by name. */
function changesOf(changes: JsonMap): string {
  return Object.entries(changes)
    .map(([name, value]) => {
      if (typeof value === 'string') return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`
      const { old, new: next } = asMap(value)
      if (next !== undefined || old !== undefined)
        return `${name}: ${text(old) || 'nothing'} → ${text(next) || 'nothing'}`
      return `${name}: ${JSON.stringify(value)}`
    })
    .join('\n')
}
