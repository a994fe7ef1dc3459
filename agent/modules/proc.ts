// What Linux tells of itself in /proc, as data.
import { readFile } from 'node:fs/promises'
import type { Mapping, Value } from '../../core/value/index.ts'

/** The lines of a file below /proc; none where it is not there. */
export async function procLines(name: string): Promise<string[]> {
  const text = await readFile(`/proc/${name}`, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

/** A number where the text is one. */
export function numberOr(text: string): Value {
  return /^-?\d+$/.test(text) ? Number(text) : text
}

/** `key value` or `key: value unit` lines by key. */
export async function procTable(name: string, separator: RegExp): Promise<[string, string][]> {
  return (await procLines(name)).map((line) => {
    const at = separator.exec(line)
    if (at === null) return [line.trim(), '']
    return [line.slice(0, at.index).trim(), line.slice(at.index + at[0].length).trim()]
  })
}

/** /proc/meminfo, `{name: {value, unit}}`. */
export async function memoryTable(): Promise<Mapping> {
  const told: Mapping = {}
  for (const [name, rest] of await procTable('meminfo', /:/)) {
    const [value = '', unit] = rest.split(/\s+/)
    told[name] = { value, ...(unit === undefined ? {} : { unit }) }
  }
  return told
}

/** /proc/mounts: device, where it is mounted, kind, options. */
export async function mounts(): Promise<{ device: string; path: string; kind: string; options: string[] }[]> {
  return (await procLines('mounts')).map((line) => {
    const [device = '', path = '', kind = '', options = ''] = line
      .split(' ')
      .map((word) => word.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))))
    return { device, path, kind, options: options.split(',') }
  })
}
