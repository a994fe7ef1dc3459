// Asks before something is done that is not easily undone.
import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../api/api.ts'
import { Problem } from './states.tsx'

/** What is about to be done. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The button's word. */
  readonly verb: string
  readonly danger?: boolean
  run(): Promise<unknown>
}

/** How a page asks, and the dialog to show in it; `did` is called once something was done. */
export function useConfirm(did: () => void): readonly [ask: (question: Question) => void, dialog: ComponentChild] {
  const [question, setQuestion] = useState<Question>()
  const done = (isDone: boolean): void => {
    setQuestion(undefined)
    if (isDone) did()
  }
  return [setQuestion, question === undefined ? null : <Confirm question={question} done={done} />]
}

/** The dialog; `done` with whether it was done. */
function Confirm({ question, done }: { readonly question: Question; readonly done: (did: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [error, setError] = useState<string>()
  const [waits, setWaits] = useState(false)
  // Before the next key is handled: what is typed at once belongs to the question, not to the page behind it.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const run = async (event: Event): Promise<void> => {
    event.preventDefault()
    setWaits(true)
    try {
      await question.run()
      dialog.current?.close()
      done(true)
    } catch (failure) {
      setError(messageOf(failure))
      setWaits(false)
    }
  }
  return (
    <dialog ref={dialog} aria-labelledby="question" onCancel={() => done(false)}>
      <form onSubmit={(event) => void run(event)}>
        <h2 id="question">{question.title}</h2>
        <p>{question.text}</p>
        {error === undefined ? null : <Problem what={error} />}
        <div class="actions">
          <button type="button" onClick={() => done(false)}>
            Leave it
          </button>
          <button type="submit" class={question.danger === true ? 'main danger' : 'main'} disabled={waits}>
            {question.verb}
          </button>
        </div>
      </form>
    </dialog>
  )
}
