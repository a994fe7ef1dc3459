// Repositories as a paragraph of a `.sources` file tells them (deb822): several kinds, places and releases at once.
import { lineOf, type Source } from './source-line.ts'

/** The fields of a paragraph by their names in small letters; further lines of a value are joined with `\n`. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  let last: string | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue
    if (/^\s/.test(line)) {
      if (last !== undefined) fields.set(last, `${fields.get(last) ?? ''}\n${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    if (colon < 0) continue
    last = line.slice(0, colon).trim().toLowerCase()
    fields.set(last, line.slice(colon + 1).trim())
  }
  return fields
}

const words = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '')

/** Fields of a paragraph that have a place of their own in a source. */
const own = ['types', 'uris', 'suites', 'components', 'enabled', 'architectures', 'signed-by']

/** Reads a paragraph; empty where it tells of no repository. */
export function sourcesIn(text: string, file: string): Source[] {
  const fields = fieldsOf(text)
  const shared = {
    file,
    disabled: /^(no|false|without|off|disable|0)$/i.test(fields.get('enabled') ?? 'yes'),
    comps: words(fields.get('components')),
    architectures: words(fields.get('architectures')),
    signedby: fields.get('signed-by') ?? '',
    options: [...fields].filter(([name]) => !own.includes(name)).map(([name, value]) => `${name}=${value}`),
    comment: '',
    line: '',
  }
  return words(fields.get('types')).flatMap((type) =>
    words(fields.get('uris')).flatMap((uri) =>
      words(fields.get('suites')).map((dist) => {
        const source: Source = { ...shared, type, uri, dist }
        return { ...source, line: lineOf(isPlain(source) ? source : { ...source, options: [], signedby: '' }) }
      }),
    ),
  )
}

/** Whether what it says fits into a line. */
const isPlain = ({ options, signedby }: Source): boolean => ![...options, signedby].some((one) => /\s/.test(one))

/** Paragraphs that tell of these; releases of what is the same otherwise stand in one. */
export function stanzasOf(sources: readonly Source[]): string {
  const groups = new Map<string, Source[]>()
  for (const source of sources) {
    const { dist: _, line: __, ...rest } = source
    const key = JSON.stringify(rest)
    groups.set(key, [...(groups.get(key) ?? []), source])
  }
  return [...groups.values()].map(stanzaOf).join('\n')
}

function stanzaOf(group: readonly Source[]): string {
  const [first] = group
  if (first === undefined) return ''
  const suites = group.map(({ dist }) => dist).join(' ')
  const title = (name: string): string => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  const others = first.options.filter((option) => !/^(arch|signed-by)/.test(option))
  const lines: [string, string][] = [
    ...(first.disabled ? [['Enabled', 'no'] as [string, string]] : []),
    ['Types', first.type],
    ['URIs', first.uri],
    ['Suites', suites],
    ['Components', first.comps.join(' ')],
    ['Architectures', first.architectures.join(' ')],
    ['Signed-By', first.signedby],
    ...others.map((option): [string, string] => {
      const at = option.indexOf('=')
      return [title(option.slice(0, at)), option.slice(at + 1)]
    }),
  ]
  const said = first.comment.trim() === '' ? '' : `# ${first.comment.trim()}\n`
  const text = lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${folded(value)}\n`)
  return said + text.join('')
}

/** A value of several lines, such as a key. */
const folded = (value: string): string =>
  value
    .split('\n')
    .map((line, at) => (at === 0 ? line : ` ${line}`))
    .join('\n')
