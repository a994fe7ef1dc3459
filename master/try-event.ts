// What an event would lead to: its files rendered, their reactions compiled and bound, and nothing run.
import { messageOf } from '../core/error.ts'
import type { Event } from '../core/event/event.ts'
import { type Signatures, type Trial, type TriedFile, tryReactions } from '../core/sls/index.ts'
import type { Value } from '../core/value/index.ts'
import type { Answers, MatchedFile, Rendered, RenderFile } from '../reaction/index.ts'

/** What an event is tried with. */
export interface TrialParts {
  readonly render: RenderFile
  readonly answers: Answers
  readonly signatures: Signatures
}

/** Questions that one event's files may ask, as when it is reacted to. */
const MOST_QUESTIONS = 100

/** Tries an event on the files that it matches. What is wrong with a file is in its `error`; nothing is thrown for it. */
export async function tryEvent(parts: TrialParts, event: Event, files: readonly MatchedFile[]): Promise<Trial> {
  const answers = new Map<string, Value>()
  const tried: TriedFile[] = []
  for (const file of files) tried.push(await tryFile(parts, event, file, answers))
  return tryReactions(tried, parts.signatures)
}

async function tryFile(
  parts: TrialParts,
  event: Event,
  file: MatchedFile,
  answers: Map<string, Value>,
): Promise<TriedFile> {
  const { glob, name } = file
  if (file.error !== undefined) return { glob, name, error: file.error }
  try {
    const { document, text } = await renderAnswered(parts, event, file, answers)
    return { glob, name, text, document }
  } catch (error) {
    return { glob, name, error: messageOf(error) }
  }
}

async function renderAnswered(
  { render, answers: outside }: TrialParts,
  event: Event,
  file: MatchedFile,
  answers: Map<string, Value>,
): Promise<Extract<Rendered, { kind: 'rendered' }>> {
  for (;;) {
    const rendered = render(file, event, answers)
    if (rendered.kind === 'rendered') return rendered
    if (answers.has(rendered.key) || answers.size >= MOST_QUESTIONS) {
      throw new Error(`its template asks the outside more than ${MOST_QUESTIONS} things; ask for them in one call`)
    }
    answers.set(rendered.key, await outside.answer(rendered.question, event))
  }
}
