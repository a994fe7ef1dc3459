// From rendered SLS documents to the chunks of one event: padded, verified, compiled and ordered as in Salt 3008.
import type { Value } from '../value/index.ts'
import { type Chunk, type Draft, draftChunks, draftText, put } from './chunk.ts'
import { byCodePoint, padFuncs } from './high.ts'
import { numberOfOrder, orderCap, settledOrder } from './order.ts'
import type { Requisite } from './requisite.ts'
import { hasRequisites, orderByRequisites } from './requisite-graph.ts'
import { verifyHigh } from './verify.ts'

/** A rendered file: its name, as it stands in `__sls__`, and its document. */
export interface SlsDocument {
  readonly name: string
  readonly document: Value
}

/** Why a file contributes nothing. */
export interface SlsProblem {
  /** Index into the files that were compiled. */
  readonly file: number
  /** `high`: no map of reactions. `verify`: Salt's verify_high refuses it. `requisite`: unresolved, or a cycle. */
  readonly code: 'sls-high' | 'sls-verify' | 'sls-requisite'
  readonly message: string
}

/** The chunks of an event, and the files that contribute none of them. */
export interface Compiled {
  readonly chunks: readonly Chunk[]
  readonly problems: readonly SlsProblem[]
}

/**
 * Compiles the files that an event leads to. Unlike in Salt, where one bad file drops all reactions of the event, it
 * drops only its own; a file that requires something of it fails too. The same id in two files is two reactions, the
 * same file twice is one. The documents are not changed, and the chunks hold parts of them.
 */
export function compileSls(files: readonly SlsDocument[]): Compiled {
  const problems: SlsProblem[] = []
  const drafts: Draft[] = []
  const names = new Set<string>()
  for (const [file, { name, document }] of files.entries()) {
    if (names.has(name)) continue
    names.add(name)
    const drafted = draftFile(file, name, document)
    if (Array.isArray(drafted)) drafts.push(...drafted)
    else problems.push(drafted)
  }
  return orderDrafts(drafts, problems)
}

function draftFile(file: number, name: string, document: Value): Draft[] | SlsProblem {
  const high = padFuncs(document)
  if (high.kind === 'broken') return { file, code: 'sls-high', message: high.message }
  const errors = verifyHigh(high.ids, name)
  if (errors.length > 0) return { file, code: 'sls-verify', message: errors.join('\n') }
  try {
    return withoutRepeats(draftChunks(high.ids, name, file))
  } catch (error) {
    if (error instanceof TypeError) return { file, code: 'sls-verify', message: error.message }
    throw error
  }
}

/** Chunks of one type, id, name and function are one: the later takes the earlier one's place. */
function withoutRepeats(drafts: Draft[]): Draft[] {
  if (drafts.every((draft) => draft.nameOrder === 0)) return drafts
  const byTag = new Map<string, Draft>()
  for (const draft of drafts) {
    byTag.set(['state', '__id__', 'name', 'fun'].map((key) => draftText(draft, key)).join('\n'), draft)
  }
  return [...byTag.values()]
}

function orderDrafts(drafts: Draft[], problems: SlsProblem[]): Compiled {
  const cap = orderCap(drafts)
  if (!drafts.some(hasRequisites)) {
    const keyed = drafts.map((draft) => ({
      draft,
      order: numberOfOrder(settledOrder(draft, cap)),
      label: labelOf(draft),
    }))
    keyed.sort((a, b) => a.order - b.order || byCodePoint(a.label, b.label))
    return { chunks: keyed.map(({ draft }) => finish(draft, cap, [])), problems }
  }
  const ordered = orderByRequisites(drafts, cap)
  if (ordered.kind === 'ordered') {
    const chunks: Chunk[] = []
    for (const index of ordered.order) {
      const draft = drafts[index]
      if (draft !== undefined) chunks.push(finish(draft, cap, ordered.requisites.get(index) ?? []))
    }
    return { chunks, problems }
  }
  const broken = new Set(ordered.problems.map((problem) => problem.file))
  const more = ordered.problems.map(({ file, message }) => ({ file, code: 'sls-requisite' as const, message }))
  return orderDrafts(
    drafts.filter((draft) => !broken.has(draft.file)),
    [...problems, ...more],
  )
}

/** Salt renames `cmd` to `local` last, so that it sorts and is required as `cmd`. */
function finish(draft: Draft, cap: number, requisites: readonly Requisite[]): Chunk {
  const type = draftText(draft, 'state')
  let low = put(draft.low, 'order', settledOrder(draft, cap))
  if (type === 'cmd') low = put(low, 'state', 'local')
  return {
    low,
    file: draft.file,
    id: draftText(draft, '__id__'),
    name: draftText(draft, 'name'),
    type,
    fun: draftText(draft, 'fun'),
    requisites,
  }
}

function labelOf(draft: Draft): string {
  return draftText(draft, 'state') + draftText(draft, 'name') + draftText(draft, 'fun')
}
