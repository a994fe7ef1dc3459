// A `.repo` file of dnf: sections of options, with comments above and in them.

/** A section's options, by names in small letters; `comments` are the lines of its comments. */
export interface RepoSection {
  readonly options: Map<string, string>
  readonly comments: string[]
}

/** A file: the comments above all sections, and the sections by their names. */
export interface RepoFile {
  readonly header: string
  readonly sections: Map<string, RepoSection>
}

/** Reads one; lines that belong nowhere are left out. */
export function repoFileIn(text: string): RepoFile {
  const sections = new Map<string, RepoSection>()
  let header = ''
  let current: RepoSection | undefined
  let last: string | undefined
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line.startsWith('#') || line.startsWith(';')) {
      if (current === undefined) header += `${line}\n`
      else current.comments.push(line.slice(1).trimStart())
    } else if (/^\[.+\]$/.test(line)) {
      current = { options: new Map(), comments: [] }
      last = undefined
      sections.set(line.slice(1, -1), current)
    } else if (current !== undefined && line !== '') {
      if (/^\s/.test(raw) && last !== undefined) {
        current.options.set(last, `${current.options.get(last) ?? ''}\n${line}`)
        continue
      }
      const [, name, value = ''] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line) ?? []
      last = name?.toLowerCase()
      if (last !== undefined) current.options.set(last, value)
    }
  }
  return { header, sections }
}

/** Comments in one form, each with its mark. */
export const commentLines = (comments: readonly string[]): string =>
  comments.map((line) => `# ${line.replace(/^#+/, '').trimStart()}\n`).join('')

/** The file's text. */
export function repoFileText({ header, sections }: RepoFile): string {
  const parts = [...sections].map(([name, { options, comments }]) => {
    const lines = [...options].map(([key, value]) => `${key}=${value.replaceAll('\n', '\n ')}\n`)
    return `[${name}]\n${lines.join('')}${commentLines(comments)}\n`
  })
  return `${header}${parts.join('')}`
}
