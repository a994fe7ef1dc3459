// An SLS file as a document: through Jinja with holes, through YAML or JSON, and the holes filled.
import { pythonTruth, type Value } from '../value/index.ts'
import { dumpYaml } from '../yaml-writer/index.ts'
import type { Hole } from './hole.ts'
import {
  compileTemplate,
  type Environment,
  type JinjaOptions,
  renderHoles,
  type Template,
  type YamlTools,
} from './jinja/index.ts'
import { loadJsonDocument } from './json-document.ts'
import { type RendererPipe, rendererPipe } from './renderer-pipe.ts'
import { type DocumentCache, loadYaml, loadYamlWithHoles } from './yaml/index.ts'

/** A file's name, as it stands in errors and in `__sls__`, and its text. */
export interface SlsSource {
  readonly name: string
  readonly text: string
}

/** A rendered file. The document may share parts with others of the same text: do not change it. */
export interface RenderedSls {
  /** What the template made of it, with tokens for what it printed. `printHoles` puts that back. */
  readonly text: string
  readonly holes: readonly Hole[]
  readonly document: Value
}

/** How files are read. */
export interface SlsOptions {
  /** Jinja's settings: `jinja_env` for reactors, `jinja_sls_env` for states. */
  readonly jinja?: Partial<JinjaOptions>
  /** Remembers parsed documents; worth it where the same few files are rendered often. */
  readonly documents?: DocumentCache
}

/** YAML for the tags and filters that load and dump it. */
export const yamlTools: YamlTools = {
  load: (text, holes = []) => loadYamlWithHoles(text, holes),
  dump: (value, flow) => dumpYaml(value, { flow }),
}

interface Prepared {
  readonly pipe: RendererPipe
  readonly template: Template | undefined
}

/** Renders files, and remembers those it has seen by the very object that it was given. */
export class SlsRenderer {
  readonly #options: SlsOptions
  readonly #prepared = new WeakMap<SlsSource, Prepared>()

  constructor(options: SlsOptions = {}) {
    this.#options = options
  }

  /**
   * The document of a file. Throws RendererError for a `#!` line that cannot be followed, TemplateError for Jinja,
   * YamlError, a BrineError `json`, and Need for what the template has to be told first.
   */
  render(source: SlsSource, environment: Environment): RenderedSls {
    const known = this.#prepared.get(source)
    if (known !== undefined) return renderPrepared(source, known, environment, this.#options.documents)
    const prepared = prepare(source, this.#options.jinja)
    this.#prepared.set(source, prepared)
    return renderPrepared(source, prepared, environment, this.#options.documents)
  }
}

/** {@link SlsRenderer.render} for a file that is rendered once. */
export function renderSls(source: SlsSource, environment: Environment, options: SlsOptions = {}): RenderedSls {
  return renderPrepared(source, prepare(source, options.jinja), environment, options.documents)
}

function prepare({ name, text }: SlsSource, jinja: Partial<JinjaOptions> | undefined): Prepared {
  const pipe = rendererPipe(text)
  return { pipe, template: pipe.jinja && text.trim() !== '' ? compileTemplate(text, name, jinja) : undefined }
}

function renderPrepared(
  source: SlsSource,
  { pipe, template }: Prepared,
  environment: Environment,
  documents: DocumentCache | undefined,
): RenderedSls {
  const { name, text: written } = source
  if (template === undefined) {
    const document = pipe.format === 'json' ? loadJsonDocument(written, []) : loadYaml(written, { name })
    return { text: written, holes: [], document: orEmpty(document) }
  }
  const { text, holes } = renderHoles(template, environment)
  const options = documents === undefined ? { name } : { name, cache: documents }
  const document = pipe.format === 'json' ? loadJsonDocument(text, holes) : loadYamlWithHoles(text, holes, options)
  return { text, holes, document: orEmpty(document) }
}

/** Salt takes whatever is false for an empty document. */
function orEmpty(document: Value): Value {
  return pythonTruth(document) ? document : {}
}
