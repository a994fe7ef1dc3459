// Options after a runner's name, `event.replay --from 2h --dry-run`: another way to write its arguments.

/** The options a function takes: those with a value, and those that are just set. */
interface RunnerOptions {
  readonly values: readonly string[]
  readonly flags: readonly string[]
}

const DEAD: RunnerOptions = { values: ['since'], flags: ['all'] }

const OPTIONS: Readonly<Record<string, RunnerOptions>> = {
  'event.replay': { values: ['from', 'to', 'tag', 'limit'], flags: ['dry-run', 'again'] },
  'reactor.discard': DEAD,
  'reactor.failed': { values: ['since'], flags: [] },
  'reactor.redrive': DEAD,
}

/**
 * The words with such options written as arguments: `--from 2h` and `--from=2h` as `from=2h`, `--dry-run` as `dry_run=True`.
 * Only what stands after the name of a function that has them is touched; an option that it has not is left to the parser.
 */
export function runnerOptions(argv: readonly string[]): string[] {
  const at = argv.findIndex((word) => Object.hasOwn(OPTIONS, word))
  const options = OPTIONS[argv[at] ?? '']
  if (options === undefined) return [...argv]
  const words = argv.slice(0, at + 1)
  const rest = argv.slice(at + 1)
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, name = '', value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    const given = value ?? (options.values.includes(name) ? rest.shift() : undefined)
    if (options.values.includes(name) && given !== undefined) words.push(`${name}=${given}`)
    else if (options.flags.includes(name) && value === undefined) words.push(`${name.replaceAll('-', '_')}=True`)
    else words.push(word)
  }
  return words
}
