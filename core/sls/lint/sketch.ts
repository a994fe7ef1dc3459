// The reactions an SLS file writes, with their places, read without an event: every branch, every loop once.
import { composeYaml } from '../../render/yaml/composer.ts'
import type { Node, Pair } from '../../render/yaml/node.ts'

/** A written value and its line. */
export interface SketchValue {
  readonly line: number
  readonly node: Node
}

/** An argument as written: a key and its value, or a bare item without a key. */
export interface SketchArgument extends SketchValue {
  readonly key: string | undefined
}

/** A reaction as written. */
export interface Sketch {
  readonly id: string
  readonly line: number
  /** As written: `local`, `cmd`, `runner`, … or a mistake. */
  readonly type: string
  /** `module.function`; empty where none is named. */
  readonly fun: string
  readonly args: readonly SketchArgument[]
  /** What stands where the list of arguments belongs, where it is none: a map, a text, nothing. */
  readonly notList?: Node
}

/** The reactions of a blanked text. Throws YamlError. */
export function sketchReactions(text: string, name: string): Sketch[] {
  const root = composeYaml(text, name)
  if (root?.kind !== 'mapping') return []
  const lineOf = lineIndex(text)
  return root.pairs.flatMap(([key, body]) => sketchId(scalarText(key) ?? '', body, lineOf))
}

function sketchId(id: string, body: Node, lineOf: LineOf): Sketch[] {
  const short = scalarText(body)
  if (short?.includes('.')) return [{ id, line: lineOf(body.at), ...typeAndFun(short), args: [] }]
  if (body.kind !== 'mapping') return []
  return body.pairs.flatMap((pair) => sketchReaction(id, pair, lineOf))
}

function sketchReaction(id: string, [key, value]: Pair, lineOf: LineOf): Sketch[] {
  const written = scalarText(key)
  if (written === undefined || written.startsWith('_')) return []
  const line = lineOf(key.at)
  const named = typeAndFun(written)
  if (value.kind !== 'sequence') return [{ id, line, ...named, args: [], notList: value }]
  const args = value.items.flatMap((item) => argumentsOf(item, lineOf))
  const bare = args.find((argument) => argument.key === undefined && argument.node.kind === 'scalar')
  const fun = named.fun === '' ? (scalarText(bare?.node) ?? '') : named.fun
  return [{ id, line, type: named.type, fun, args: args.filter((argument) => argument !== bare) }]
}

/** The keys of a map, or the value itself where it has none. */
export function argumentsOf(node: Node, lineOf: LineOf): SketchArgument[] {
  if (node.kind !== 'mapping') return [{ key: undefined, node, line: lineOf(node.at) }]
  return node.pairs.map(([key, value]) => ({ key: scalarText(key), node: value, line: lineOf(key.at) }))
}

/** The line of an offset, from 1. */
export type LineOf = (at: number) => number

/** {@link LineOf} for a text. */
export function lineIndex(text: string): LineOf {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => {
    const after = starts.findIndex((start) => start > at)
    return after < 0 ? starts.length : after
  }
}

/** The text of a scalar node. */
export function scalarText(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' ? node.text.value : undefined
}

/** Every scalar below a node, with its offset. */
export function scalarsOf(node: Node): { text: string; at: number }[] {
  if (node.kind === 'scalar') return [{ text: node.text.value, at: node.at }]
  if (node.kind === 'sequence') return node.items.flatMap(scalarsOf)
  return node.pairs.flatMap(([, value]) => scalarsOf(value))
}

function typeAndFun(written: string): { type: string; fun: string } {
  const dot = written.indexOf('.')
  return dot < 0 ? { type: written, fun: '' } : { type: written.slice(0, dot), fun: written.slice(dot + 1) }
}
