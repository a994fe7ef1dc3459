// Keys: who wants in, and who is.
import { type Api, asList, asMap, type JsonMap, text } from '../api/api.ts'
import { useAsked, useMaster, useReloadOn } from '../api/use.ts'
import { type Question, useConfirm } from '../parts/confirm.tsx'
import { Answer, Empty } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { exactly } from '../parts/tag-filter.ts'
import { agoOf, stampTime } from '../parts/time.ts'

type List = 'minions_pre' | 'minions' | 'minions_denied' | 'minions_rejected'

const LISTS: readonly { readonly list: List; readonly title: string; readonly none: string }[] = [
  { list: 'minions_pre', title: 'Pending', none: 'Nobody waits. A minion that is started shows up here by itself.' },
  { list: 'minions', title: 'Accepted', none: 'No key is accepted yet.' },
  { list: 'minions_denied', title: 'Denied', none: '' },
  { list: 'minions_rejected', title: 'Rejected', none: '' },
]

interface Key {
  readonly id: string
  readonly list: List
  readonly finger: string
  readonly since: string
  readonly identity: JsonMap | undefined
}

/** The page. */
export function KeysPage() {
  const { api } = useMaster()
  const asked = useAsked(keysOf, [])
  const [ask, dialog] = useConfirm(asked.reload)
  useReloadOn(({ tag }) => tag === 'salt/key' || tag === 'salt/auth', asked.reload)
  return (
    <>
      <Answer asked={asked}>
        {(keys) => (
          <>
            {LISTS.map(({ list, title, none }) => {
              const own = keys.filter((key) => key.list === list)
              if (own.length === 0 && none === '') return null
              return (
                <section key={list} aria-labelledby={list}>
                  <h2 id={list}>
                    {title} <span class="note">{own.length}</span>
                  </h2>
                  {own.length === 0 ? <Empty>{none}</Empty> : <KeyTable keys={own} title={title} api={api} ask={ask} />}
                </section>
              )
            })}
          </>
        )}
      </Answer>
      {dialog}
    </>
  )
}

interface KeyTableProps {
  readonly keys: readonly Key[]
  readonly title: string
  readonly api: Api
  readonly ask: (question: Question) => void
}

function KeyTable({ keys, title, api, ask }: KeyTableProps) {
  const rows = keys.map((key) => ({
    key: key.id,
    cells: [
      <span key="id" class="mono">
        {key.id}
      </span>,
      <Identity key="identity" of={key} />,
      <span key="finger" class="mono finger">
        {key.finger}
      </span>,
      agoOf(stampTime(key.since)),
      <div key="actions" class="actions">
        {actionsOf(key, api).map((action) => (
          <button
            key={action.verb}
            type="button"
            class={action.danger === true ? 'danger' : undefined}
            aria-label={`${action.verb} ${key.id}`}
            onClick={() => ask(action)}
          >
            {action.verb}
          </button>
        ))}
      </div>,
    ],
  }))
  return (
    <Table
      label={`${title} keys`}
      heads={['Minion', 'Verified identity', '-Fingerprint', '-Since', 'Decide']}
      rows={rows}
    />
  )
}

function Identity({ of }: { readonly of: Key }) {
  if (of.identity === undefined)
    return (
      <span class="note">
        {of.list === 'minions_pre' || of.list === 'minions_denied'
          ? 'nothing verified: compare the fingerprint'
          : 'nothing verified'}
      </span>
    )
  return (
    <dl class="chips">
      {Object.entries(of.identity).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function actionsOf({ id, list, finger }: Key, api: Api): readonly Question[] {
  const match = exactly(id)
  const told = `Its key's fingerprint is ${finger}. On the minion, brine-call --local key.finger tells it.`
  const accept: Question = {
    title: `Accept ${id}?`,
    text: `${told} An accepted minion gets its pillar and runs jobs.`,
    verb: 'Accept',
    run: () =>
      api.wheel('key.accept', {
        match,
        include_rejected: list === 'minions_rejected',
        include_denied: list === 'minions_denied',
      }),
  }
  const reject: Question = {
    title: `Reject ${id}?`,
    text: 'It can do nothing then, and may be accepted later. Jobs that wait for it are dropped.',
    verb: 'Reject',
    danger: true,
    run: () => api.wheel('key.reject', { match, include_accepted: true, include_denied: true }),
  }
  const remove: Question = {
    title: `Delete the key of ${id}?`,
    text: 'Its grains and waiting jobs go too. A minion that still runs comes again as pending, with the same key.',
    verb: 'Delete',
    danger: true,
    run: () => api.wheel('key.delete', { match }),
  }
  if (list === 'minions_pre') return [accept, reject, remove]
  if (list === 'minions') return [reject, remove]
  return [accept, remove]
}

async function keysOf(api: Api): Promise<readonly Key[]> {
  const lists = asMap(await api.wheel('key.list_all'))
  const [fingers, known] = await Promise.all([
    api.wheel('key.finger', { match: '*' }).then(asMap),
    // A master of before this function, or a user without the right to it: the keys are shown all the same.
    api
      .wheel('key.identity', { match: '*' })
      .then(asMap)
      .catch(() => ({}) as JsonMap),
  ])
  return LISTS.flatMap(({ list }) =>
    asList(lists[list]).map((name) => {
      const id = text(name)
      const about = asMap(known[id])
      const identity = asMap(about.identity)
      return {
        id,
        list,
        finger: text(asMap(fingers[list])[id]),
        since: text(about.since),
        identity: Object.keys(identity).length === 0 ? undefined : identity,
      }
    }),
  )
}
