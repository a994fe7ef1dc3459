// Renders a reactor's file for an event, with what a template may see of the event and of who reacts.
import type { Event } from '../core/event/event.ts'
import { stampInstant } from '../core/event/stamp.ts'
import {
  callKey,
  type Environment,
  Need,
  printHoles,
  type RenderedSls,
  reactorContext,
  SALT_FUNCTIONS,
  type SaltFunction,
  SlsRenderer,
  yamlTools,
} from '../core/render/index.ts'
import { DocumentCache } from '../core/render/yaml/index.ts'
import { get, type Mapping, type Value } from '../core/value/index.ts'
import type { RenderFile } from './make-plan.ts'
import type { MatchedFile } from './ports.ts'

/** What templates know of the master, or of the minion without one. */
export interface RenderFacts {
  readonly opts: Mapping
  readonly grains: Mapping
  readonly pillar: Mapping
  /** Whether a function of `salt[…]` is answered by the outside: it only reads. */
  readonly answerable: (fun: string) => boolean
  /** `jinja_env`. */
  readonly jinja?: Mapping
  /** Functions of `salt[…]` that stand before all others, as a test gives them. @default none */
  readonly functions?: Readonly<Record<string, SaltFunction>>
}

/** Bytes of parsed documents that are remembered. */
const documentBytes = 16 * 1024 * 1024

/** The {@link RenderFile} over these facts. Templates and documents are remembered by the file they came from. */
export function createRenderFile(facts: RenderFacts): RenderFile {
  const renderer = new SlsRenderer({
    documents: new DocumentCache(documentBytes),
    ...(facts.jinja === undefined ? {} : { jinja: facts.jinja }),
  })
  const pure = facts.functions === undefined ? SALT_FUNCTIONS : { ...SALT_FUNCTIONS, ...facts.functions }
  return (file, event, answers) => {
    try {
      const rendered = renderer.render(file, environmentOf(facts, pure, file, event, answers))
      return { kind: 'rendered', document: rendered.document, text: textOf(rendered) }
    } catch (error) {
      if (!(error instanceof Need)) throw error
      const { fun, args, kwargs } = error
      return { kind: 'need', key: callKey(fun, args, kwargs), question: { fun, args, kwargs: { ...kwargs } } }
    }
  }
}

function textOf({ text, holes }: RenderedSls): string {
  return holes.length === 0 ? text : printHoles(text, holes)
}

function environmentOf(
  facts: RenderFacts,
  pure: Readonly<Record<string, SaltFunction>>,
  file: MatchedFile,
  event: Event,
  answers: ReadonlyMap<string, Value>,
): Environment {
  const { opts, grains, pillar } = facts
  const stamp = get(event.data, '_stamp')
  const instant = typeof stamp === 'string' ? stampInstant(stamp) : undefined
  return {
    context: reactorContext(file.name, { tag: event.tag, data: event.data, opts, grains, pillar }),
    salt: { pure, answerable: facts.answerable, answers },
    yaml: yamlTools,
    // A reaction that is made again must come out the same: `now` is when its event was fired.
    ...(instant === undefined ? {} : { outside: { now: () => instant / 1e6 } }),
    files: (path) => {
      const args = [`salt://${path}`]
      const answer = answers.get(callKey('cp.get_file_str', args, {}))
      if (answer === undefined) throw new Need('cp.get_file_str', args, {})
      return typeof answer === 'string' ? answer : undefined
    },
  }
}
