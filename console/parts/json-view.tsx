// JSON, pretty, with its kinds told apart.
import type { ComponentChildren } from 'preact'
import type { Json } from '../api/api.ts'

/** A value as indented JSON. */
export function JsonView({ value, label }: { readonly value: Json; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="json" tabIndex={0} aria-label={label}>
      <pre>{coloured(JSON.stringify(value, null, 2) ?? 'null')}</pre>
    </section>
  )
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function coloured(json: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let at = 0
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    if (match.index > at) parts.push(json.slice(at, match.index))
    const kind = quoted === undefined ? 'j-word' : colon === undefined ? 'j-text' : 'j-key'
    parts.push(<span class={kind}>{quoted ?? whole}</span>, colon ?? '')
    at = match.index + whole.length
  }
  parts.push(json.slice(at))
  return parts
}
