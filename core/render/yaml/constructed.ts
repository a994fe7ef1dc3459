// Two small things PyYAML's constructor makes: the text of a node in an error, and the bytes of `!!binary`.
import { stringRepr } from '../../value/index.ts'
import { type Node, YAML_TAG } from './node.ts'
import { plainType, UnreadableScalar } from './scalar-type.ts'

/** A node's content as Python's repr prints it in "found unacceptable key". */
export function nodeText(node: Node): string {
  if (node.kind === 'scalar') return stringRepr(node.text.value)
  if (node.kind === 'sequence') return `[${node.items.map(nodeRepr).join(', ')}]`
  return `[${node.pairs.map(([key, value]) => `(${nodeRepr(key)}, ${nodeRepr(value)})`).join(', ')}]`
}

function nodeRepr(node: Node): string {
  const name = { scalar: 'ScalarNode', sequence: 'SequenceNode', mapping: 'MappingNode' }[node.kind]
  return `${name}(tag=${stringRepr(node.tag ?? defaultTag(node))}, value=${nodeText(node)})`
}

function defaultTag(node: Node): string {
  if (node.kind === 'sequence') return `${YAML_TAG}seq`
  if (node.kind === 'mapping') return `${YAML_TAG}map`
  return YAML_TAG + (node.typed ? plainType(node.text.value) : 'str')
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The text that base64 data stands for. Values have no bytes, so bytes that are not UTF-8 are refused. */
export function decodeBinary(text: string): string {
  const compact = text.replace(/[^A-Za-z0-9+/=]/g, '').replace(/(=+).*$/, '$1')
  if (!BASE64.test(compact)) throw new UnreadableScalar('failed to decode base64 data: Incorrect padding')
  const bytes = Uint8Array.from(atob(compact), (char) => char.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableScalar('the base64 data is not UTF-8 text, and bytes cannot be carried in an event')
  }
}
