// What a requisite means for a reaction: when it may start, when it never will.
import type { RequisiteKind } from './requisite-kinds.ts'

/** What a reaction waits for. `prereq` stands on the one that declares it; what it names gets a `require`. */
export type AwaitedKind = Exclude<RequisiteKind, 'prereq'>

/** A requisite and the chunks it names. */
export interface Requisite {
  readonly kind: AwaitedKind
  readonly chunks: readonly number[]
}

/** How a chunk stands: well or badly ended, or not yet. What was skipped or refused has ended badly. */
export type Outcome = 'well' | 'badly' | 'open'

/** Whether a chunk may start. */
export type Readiness =
  | { readonly kind: 'ready' }
  | { readonly kind: 'waiting' }
  /** It never will: what it requires ended otherwise. `chunks` are those that decided it. */
  | { readonly kind: 'skipped'; readonly requisite: Requisite; readonly chunks: readonly number[] }

/**
 * Whether a chunk with these requisites may start. A reaction has no changes and no test mode, so `watch` and `onchanges`
 * are met by what ended well, like `require`. All that is named has to have ended well; with `_any`, one of it; with
 * `onfail` and `onfail_any` one has to have ended badly, with `onfail_all` all. Without requisites it is ready.
 */
export function readiness(requisites: readonly Requisite[], outcome: (chunk: number) => Outcome): Readiness {
  let waiting = false
  for (const requisite of requisites) {
    const verdict = judge(requisite, outcome)
    if (verdict === 'waiting') waiting = true
    else if (verdict !== 'met') return { kind: 'skipped', requisite, chunks: verdict }
  }
  return { kind: waiting ? 'waiting' : 'ready' }
}

function judge({ kind, chunks }: Requisite, outcome: (chunk: number) => Outcome): 'met' | 'waiting' | number[] {
  if (chunks.length === 0) return 'met'
  switch (kind) {
    case 'require':
    case 'watch':
    case 'onchanges':
      return all(chunks, outcome, 'well')
    case 'onfail_all':
      return all(chunks, outcome, 'badly')
    case 'require_any':
    case 'watch_any':
    case 'onchanges_any':
      return any(chunks, outcome, 'well')
    case 'onfail':
    case 'onfail_any':
      return any(chunks, outcome, 'badly')
  }
}

/** Met when all ended so; decided by the first that ended otherwise. */
function all(chunks: readonly number[], outcome: (chunk: number) => Outcome, wanted: Outcome) {
  const against = chunks.filter((chunk) => outcome(chunk) !== wanted && outcome(chunk) !== 'open')
  if (against.length > 0) return against
  return chunks.every((chunk) => outcome(chunk) === wanted) ? 'met' : 'waiting'
}

/** Met by the first that ended so; decided when all ended otherwise. */
function any(chunks: readonly number[], outcome: (chunk: number) => Outcome, wanted: Outcome) {
  if (chunks.some((chunk) => outcome(chunk) === wanted)) return 'met'
  return chunks.some((chunk) => outcome(chunk) === 'open') ? 'waiting' : [...chunks]
}
