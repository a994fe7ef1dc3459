// Files of options in sections (.ini), read and written as Salt does: comments and lines without a meaning stay where they are.
import { escapeRegex } from '../../core/value/escape-regex.ts'
import { type Dict, type Mapping, mapOf, size, type Value } from '../../core/value/index.ts'
import { strip } from '../../core/value/python-lines.ts'
import { CommandExecutionError } from '../modules/errors.ts'
import { textLines } from './text.ts'

const head = /^\s*\[(.+?)\]\s*$/m
const comment = /^\s*[#;]/
/** Python's white space: a byte order mark is none. */
const SPACE = '[^\\S\\ufeff]'

/** What is to be set: an option's text, or the options of a section. */
export type IniValues = ReadonlyMap<string, string | IniValues>

/** How the file is written. */
export interface IniStyle {
  /** What stands between an option and its value. */
  readonly separator: string
  /** No spaces around it. */
  readonly noSpaces: boolean
}

/**
 * A section, or the whole file: options (texts), sections, and under names of their own (`#comment1`, `#unknown1`) the
 * lines that are neither.
 */
export class IniSection {
  readonly entries = new Map<string, string | IniSection>()
  readonly #style: IniStyle
  readonly #option: RegExp

  constructor(style: IniStyle) {
    this.#style = style
    this.#option = new RegExp(`^(${SPACE}*)(.+?)${SPACE}*${escapeRegex(style.separator)}${SPACE}*(.*)`)
  }

  /** Reads a file's text. */
  static parse(text: string, style: IniStyle): IniSection {
    const file = new IniSection(style)
    const [top = '', ...parts] = textLines(text).join('\n').split(head)
    file.#read(top)
    for (let at = 0; at < parts.length; at += 2) {
      const section = new IniSection(style)
      section.#read(parts[at + 1] ?? '')
      file.#set(parts[at] ?? '', section)
    }
    return file
  }

  #read(text: string): void {
    const trimmed = text.replace(/^\n+|\n+$/g, '')
    if (trimmed === '') return
    let [comments, unknown, depth] = [0, 0, '']
    for (const line of trimmed.split('\n')) {
      if (comment.test(line)) {
        this.entries.set(`#comment${++comments}`, line)
        continue
      }
      const indent = expanded(/^\s*/.exec(line)?.[0] ?? '')
      const last = [...this.entries.keys()].at(-1)
      if (last !== undefined && indent > depth) {
        // More indented than the option before it: its value goes on.
        this.entries.set(last, `${String(this.entries.get(last))}\n${line}`)
        continue
      }
      const [found, spaces = '', name = '', value = ''] = this.#option.exec(line) ?? []
      if (found === undefined) this.entries.set(`#unknown${++unknown}`, line)
      else {
        depth = expanded(spaces)
        this.#set(name, value)
      }
    }
  }

  /** Sets what is given and tells what is another way then: before and after of each option, for new sections of the whole. */
  update(values: IniValues): Mapping | Dict {
    const changes: [string, Value][] = []
    for (const [key, given] of values) {
      const change = this.#set(key, typeof given === 'string' ? given : this.#part(given))
      if (change !== undefined) changes.push([key, change])
    }
    return mapOf(changes)
  }

  #part(values: IniValues): IniSection {
    const section = new IniSection(this.#style)
    section.update(values)
    return section
  }

  #set(key: string, value: string | IniSection): Value | undefined {
    const now = this.entries.get(key)
    if (now instanceof IniSection) {
      if (typeof value === 'string')
        throw new CommandExecutionError(`${key} is a section of the file: give its options as a map, not ${value}.`)
      const changes = now.#merge(value)
      return size(changes) === 0 ? undefined : changes
    }
    if (now === value) return undefined
    if (now === undefined && typeof value === 'string') this.#takeCommentsPlace(key)
    this.entries.set(key, value)
    return { before: now ?? null, after: plain(value) }
  }

  #merge(other: IniSection): Mapping | Dict {
    const changes = [...other.entries].map(([key, value]) => [key, this.#set(key, value)] as const)
    return mapOf(changes.filter((change): change is [string, Value] => change[1] !== undefined))
  }

  /** A new option goes where a comment shows it (`# name = …`), and that comment goes. */
  #takeCommentsPlace(option: string): void {
    const all = [...this.entries]
    const at = all.findIndex(
      ([key, value]) =>
        key.includes('#comment') &&
        typeof value === 'string' &&
        this.#option.exec(value.replace(/^#+/, ''))?.[2] === option,
    )
    if (at < 0) return
    for (const [key] of all.slice(at)) this.entries.delete(key)
    this.entries.set(option, '')
    for (const [key, value] of all.slice(at + 1)) this.entries.set(key, value)
  }

  /** What it holds, sections as maps. @param isWhole with the lines that are no options */
  told(isWhole = false): Mapping | Dict {
    const own = [...this.entries].filter(([key]) => isWhole || !key.startsWith('#'))
    return mapOf(own.map(([key, value]) => [key, typeof value === 'string' ? value : value.told(isWhole)]))
  }

  /** The file's text. */
  text(): string {
    const [first = '', ...rest] = this.#lines()
    return [first.replace(/^\n+/, ''), ...rest].join('')
  }

  /** Options before sections. Each of Salt's lines; one begins with an empty line where a section does. */
  *#lines(): Generator<string> {
    let { separator } = this.#style
    for (const [name, value] of this.entries) {
      if (value instanceof IniSection) continue
      if (comment.test(name)) {
        yield `${value}\n`
        continue
      }
      // Salt forms the separator anew at every option, from what it was at the one before.
      if (/^ *$/.test(separator)) separator = ' '
      else separator = this.#style.noSpaces ? strip(separator) : ` ${strip(separator)} `
      yield `${name}${separator}${value}\n`
    }
    for (const [name, value] of this.entries) {
      if (!(value instanceof IniSection)) continue
      yield `\n[${name}]\n`
      yield* value.#lines()
    }
  }
}

const expanded = (indent: string): string => indent.replaceAll('\t', '    ')

/** An option's text, or all that a section holds. */
export const plain = (value: string | IniSection): Value => (typeof value === 'string' ? value : value.told(true))
