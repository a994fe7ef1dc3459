// Makes the plan of an event: each matched file rendered, all of them compiled together, every call bound.
import { BrineError, messageOf } from '../core/error.ts'
import type { Event } from '../core/event/event.ts'
import type { Chunk } from '../core/sls/chunk.ts'
import { compileSls } from '../core/sls/compile.ts'
import type { Value } from '../core/value/index.ts'
import { type LoopLimits, loopRefusal } from './limits.ts'
import type { Plan, PlannedFile, Reaction, ReactionCall } from './plan.ts'
import type { Answers, Clock, MatchedFile, Question } from './ports.ts'
import { isTransient } from './retry.ts'

/** What rendering a file came to: its document, or a question to answer before it is rendered again. */
export type Rendered =
  | { readonly kind: 'rendered'; readonly document: Value; readonly text: string }
  /** `key` is the same for equal questions. */
  | { readonly kind: 'need'; readonly key: string; readonly question: Question }

/** Renders and parses one SLS file for an event, with the answers so far by key. Throws what is wrong with the file. */
export type RenderFile = (file: MatchedFile, event: Event, answers: ReadonlyMap<string, Value>) => Rendered

/** Binds a chunk to what it calls; what cannot run is a call of kind `refused`. */
export type BindChunk = (chunk: Chunk) => { readonly call: ReactionCall; readonly warnings: readonly string[] }

/**
 * Makes plans. Synchronous unless a template asks the outside; rejects only where an answer could not be had for the
 * moment. A file that does not read, render, parse or compile has its error in the plan, and the other files go on.
 */
export type PlanMaker = (event: Event, matched: readonly MatchedFile[], version: string) => Plan | Promise<Plan>

/** What plans are made with. */
export interface PlanParts {
  readonly render: RenderFile
  readonly bind: BindChunk
  readonly answers: Answers
  readonly clock: Clock
  readonly limits: LoopLimits
}

/** Questions one event's files may ask: each makes its template start again. */
const MOST_QUESTIONS = 100

/** Joins the parts to a {@link PlanMaker}. */
export function createPlanMaker(parts: PlanParts): PlanMaker {
  return (event, matched, version) => {
    const work = { parts, event, answers: new Map<string, Value>() }
    const files: FileResult[] = []
    for (const [index, file] of matched.entries()) {
      const result = renderFile(work, file)
      if (result.kind === 'need') {
        return renderAsking(work, matched.slice(index), files, result).then((all) =>
          planOf(work, matched, version, all),
        )
      }
      files.push(result)
    }
    return planOf(work, matched, version, files)
  }
}

interface Work {
  readonly parts: PlanParts
  readonly event: Event
  readonly answers: Map<string, Value>
}

type Need = Extract<Rendered, { kind: 'need' }>
type FileResult = Exclude<Rendered, { kind: 'need' }> | { readonly kind: 'broken'; readonly error: FileError }
type FileError = NonNullable<PlannedFile['error']>

function renderFile({ parts, event, answers }: Work, file: MatchedFile): FileResult | Need {
  if (file.refusal !== undefined) return { kind: 'broken', error: file.refusal }
  if (file.error !== undefined) return broken('unreadable', file.error)
  const refusal = loopRefusal(event, file.glob, file.name, parts.limits)
  if (refusal !== undefined) return broken(refusal.code, refusal.reason)
  try {
    return parts.render(file, event, answers)
  } catch (error) {
    return brokenBy(error)
  }
}

/** Goes on from the first question: answers it, renders the file again, until all files are through. */
async function renderAsking(work: Work, rest: readonly MatchedFile[], before: readonly FileResult[], first: Need) {
  const results = [...before]
  let need: Need | undefined = first
  for (const file of rest) {
    let result: FileResult | Need = need ?? renderFile(work, file)
    need = undefined
    while (result.kind === 'need') result = (await answer(work, result)) ?? renderFile(work, file)
    results.push(result)
  }
  return results
}

/** Why the file fails, or `undefined` once the answer is in the book. Rejects where it may be had later. */
async function answer({ parts, event, answers }: Work, need: Need): Promise<FileResult | undefined> {
  if (answers.has(need.key) || answers.size >= MOST_QUESTIONS) {
    return broken(
      'questions',
      `its template asks the outside more than ${MOST_QUESTIONS} things; ask for them in one call`,
    )
  }
  try {
    answers.set(need.key, await parts.answers.answer(need.question, event))
    return undefined
  } catch (error) {
    if (isTransient(error)) throw error
    return brokenBy(error)
  }
}

function planOf(
  { parts, event }: Work,
  matched: readonly MatchedFile[],
  version: string,
  results: readonly FileResult[],
): Plan {
  const errors = new Map<number, FileError>()
  const documents: { name: string; document: Value }[] = []
  const places: number[] = []
  for (const [index, result] of results.entries()) {
    if (result.kind === 'broken') errors.set(index, result.error)
    else {
      documents.push({ name: matched[index]?.name ?? '', document: result.document })
      places.push(index)
    }
  }
  const { chunks, problems } = compileSls(documents)
  for (const { file, code, message } of problems) errors.set(places[file] ?? 0, { code, message })
  return {
    event: event.id,
    tag: event.tag,
    at: parts.clock.now(),
    version,
    root: event.cause?.root ?? event.id,
    files: matched.map((file, index) => plannedFile(file, results[index], errors.get(index))),
    reactions: chunks.map((chunk, ordinal) => reactionOf(parts.bind, chunk, ordinal, places[chunk.file] ?? 0)),
  }
}

function plannedFile(file: MatchedFile, result: FileResult | undefined, error: FileError | undefined): PlannedFile {
  return {
    glob: file.glob,
    name: file.name,
    hash: file.hash,
    text: result?.kind === 'rendered' ? cut(result.text) : '',
    ...(error === undefined ? {} : { error }),
  }
}

function reactionOf(bind: BindChunk, chunk: Chunk, ordinal: number, file: number): Reaction {
  const { id, name, type, fun, requisites } = chunk
  return { ordinal, file, id, name, type, fun, requisites, ...bound(bind, chunk) }
}

function bound(bind: BindChunk, chunk: Chunk): ReturnType<BindChunk> {
  try {
    return bind(chunk)
  } catch (error) {
    return { call: { kind: 'refused', reason: messageOf(error) }, warnings: [] }
  }
}

function broken(code: string, message: string, place?: string): FileResult & { kind: 'broken' } {
  return { kind: 'broken', error: { code, message, ...(place === undefined ? {} : { place }) } }
}

function brokenBy(error: unknown): FileResult & { kind: 'broken' } {
  if (!(error instanceof BrineError)) return broken('internal', messageOf(error))
  const place = 'place' in error && typeof error.place === 'string' ? error.place : undefined
  return broken(error.code, error.message, place)
}

const KEPT_BYTES = 65_536

/** The first 64 KiB of a text, whole characters. */
function cut(text: string): string {
  if (text.length * 3 <= KEPT_BYTES) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= KEPT_BYTES) return text
  let end = KEPT_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}
