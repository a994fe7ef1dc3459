// Reactions that were tried as often as they may be, and given up: tried again or forgotten here.
import { asList, asMap, type JsonMap, text } from '../api/api.ts'
import { useMaster, useReloadOn } from '../api/use.ts'
import { type Question, useConfirm } from '../parts/confirm.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { Empty, Problem, Waiting } from '../parts/states.tsx'
import { agoOf, stampTime } from '../parts/time.ts'

interface FailedProps {
  /** The dead letters; the reason where they may not be seen; undefined while they are asked for. */
  readonly letters: readonly JsonMap[] | string | undefined
  readonly changed: () => void
}

/** Milliseconds within which a reaction that was told of as failed is among those that were given up. */
const SETTLING = 5_000

/** The section. */
export function FailedReactions({ letters, changed }: FailedProps) {
  const { api } = useMaster()
  const [ask, dialog] = useConfirm(changed)
  useReloadOn(({ tag }) => tag.startsWith('brine/reactor/'), changed, SETTLING)
  const redrive = (what: JsonMap, title: string): Question => ({
    title,
    text: 'What failed because its tries were used up runs again, with fresh tries; what had ended otherwise does not.',
    verb: 'Redrive',
    run: () => api.runner('reactor.redrive', [], what),
  })
  const discard = (what: JsonMap, title: string): Question => ({
    title,
    text: 'It is not tried again. How its reactions ended stays in the ledger, and reactor.explain still tells it.',
    verb: 'Discard',
    danger: true,
    run: () => api.runner('reactor.discard', [], what),
  })
  return (
    <section aria-labelledby="failed">
      <div class="bar">
        <h2 id="failed" class="grow">
          Failed reactions
        </h2>
        {Array.isArray(letters) && letters.length > 1 ? (
          <>
            <button type="button" onClick={() => ask(redrive({ all: true }, `Redrive all ${letters.length}?`))}>
              Redrive all
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => ask(discard({ all: true }, `Discard all ${letters.length}?`))}
            >
              Discard all
            </button>
          </>
        ) : null}
      </div>
      {letters === undefined ? (
        <Waiting />
      ) : typeof letters === 'string' ? (
        <Problem what={letters} />
      ) : letters.length === 0 ? (
        <Empty>No reaction was given up.</Empty>
      ) : (
        <ul class="letters">
          {letters.map((letter) => {
            const id = text(letter.event)
            return (
              <li key={id} class="panel">
                <div class="bar">
                  <h3 class="grow mono">{text(letter.tag)}</h3>
                  <button
                    type="button"
                    aria-label={`Redrive ${text(letter.tag)} ${id}`}
                    onClick={() => ask(redrive({ event: id }, `Redrive ${text(letter.tag)}?`))}
                  >
                    Redrive
                  </button>
                  <button
                    type="button"
                    class="danger"
                    aria-label={`Discard ${text(letter.tag)} ${id}`}
                    onClick={() => ask(discard({ event: id }, `Discard ${text(letter.tag)}?`))}
                  >
                    Discard
                  </button>
                </div>
                <p>
                  {text(letter.reason)} <span class="note">given up {agoOf(stampTime(text(letter.given_up)))}</span>
                </p>
                <ul>
                  {asList(letter.reactions)
                    .map(asMap)
                    .map((reaction) => (
                      <li key={text(reaction.id)} class="note">
                        {text(reaction.id)}: {text(reaction.call)}, {text(reaction.state)}
                        {asList(reaction.failures).map((failure) => ` · ${text(failure)}`)}
                      </li>
                    ))}
                </ul>
                <details>
                  <summary>The event's data</summary>
                  <JsonView value={letter.data ?? null} label="The event's data" />
                </details>
              </li>
            )
          })}
        </ul>
      )}
      {dialog}
    </section>
  )
}
