// A repository as a line of apt's `sources.list` tells it.

/** A repository of one kind, at one place, for one release. */
export interface Source {
  /** The file it stands in. */
  readonly file: string
  readonly disabled: boolean
  readonly type: string
  readonly uri: string
  readonly dist: string
  readonly comps: readonly string[]
  readonly architectures: readonly string[]
  /** The key its release is signed by: a path, or in a `.sources` file the key itself. */
  readonly signedby: string
  /** All options in their order, as they are written: `arch=amd64`. */
  readonly options: readonly string[]
  /** What stands behind `#`, as it is written. */
  readonly comment: string
  /** The line as it is written; of a `.sources` file the line that would say the same. */
  readonly line: string
}

const shape = /^(deb|deb-src|rpm|rpm-src)\s+(?:\[([^\]]*)\]\s+)?(cdrom:.*\/|\S+)\s+(\S+)(?:\s+(.*))?$/

/** Reads a line; undefined where it tells of no repository. One behind `#` is a disabled one. */
export function sourceIn(text: string, file: string): Source | undefined {
  const whole = text.trim()
  const disabled = whole.startsWith('#')
  const bare = disabled ? whole.slice(1) : whole
  const mark = bare.indexOf('#')
  const found = shape.exec((mark > 0 ? bare.slice(0, mark) : bare).trim())
  if (found === null) return undefined
  const [, type = '', bracket = '', uri = '', dist = '', comps = ''] = found
  const options = bracket.split(/\s+/).filter((word) => word.includes('='))
  const architectures = options.filter((word) => word.startsWith('arch')).flatMap((word) => textOf(word).split(','))
  const signed = options.find((word) => word.startsWith('signed-by'))
  return {
    file,
    disabled,
    type,
    uri,
    dist,
    comps: comps.split(/\s+/).filter((word) => word !== ''),
    architectures,
    signedby: signed === undefined ? '' : textOf(signed),
    options,
    comment: mark > 0 ? bare.slice(mark + 1) : '',
    line: whole,
  }
}

const textOf = (option: string): string => option.slice(option.indexOf('=') + 1)

/** The options, with the architectures and the key the source has now. */
function optionsOf({ options, architectures, signedby }: Source): string[] {
  const arch = architectures.length > 0 ? [`arch=${architectures.join(',')}`] : []
  const signed = signedby === '' ? [] : [`signed-by=${signedby}`]
  const isArch = (word: string): boolean => word.startsWith('arch')
  const isSigned = (word: string): boolean => word.startsWith('signed-by')
  const kept = options.flatMap((word) => (isArch(word) ? arch : isSigned(word) ? signed : [word]))
  const added = [...(options.some(isArch) ? [] : arch), ...(options.some(isSigned) ? [] : signed)]
  return [...kept, ...added]
}

/** The line that tells of it, without its end. */
export function lineOf(source: Source): string {
  const options = optionsOf(source)
  return [
    ...(source.disabled ? ['#'] : []),
    source.type,
    ...(options.length > 0 ? [`[${options.join(' ')}]`] : []),
    source.uri,
    source.dist,
    ...source.comps,
    ...(source.comment === '' ? [] : [`#${source.comment}`]),
  ].join(' ')
}
