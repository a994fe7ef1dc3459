// What a command's options are, as data: the parser, the help and the completion read the same tables.

/** What an option's value can be; `undefined` where it was not given and has no default. */
export type OptionValue = string | number | boolean | readonly string[] | undefined

/**
 * How an option is read: `flag` sets true, `unset` sets false, `append` collects every value given, the others take
 * one value. `help`, `version` and `versions` end the command.
 */
export type OptionKind =
  | 'flag'
  | 'unset'
  | 'text'
  | 'integer'
  | 'number'
  | 'choice'
  | 'append'
  | 'help'
  | 'version'
  | 'versions'

/** One option. */
export interface OptionSpec {
  /** Short and long forms, `-b`, `--batch`, `--batch-size`; help shows short ones first. */
  readonly flags: readonly string[]
  /** The name of the value, Salt's configuration key where it has one. */
  readonly dest: string
  readonly kind: OptionKind
  /** What the value is called in help. @default the dest in capitals */
  readonly metavar?: string
  readonly choices?: readonly string[]
  readonly default?: OptionValue
  /** Values of Salt's that Brine has not: giving one ends the command with the reason. */
  readonly refusedValues?: { readonly values: readonly string[]; readonly reason: string }
  /** One or two sentences; `%default` stands for the default. */
  readonly help: string
}

/** Options under a heading. */
export interface OptionGroup {
  readonly title: string
  readonly description?: string
  readonly options: readonly OptionSpec[]
}

/** An option Salt has and Brine has not: asking for it ends the command with the reason. */
export interface RefusedOption {
  readonly flags: readonly string[]
  /** The sentence after "is not supported: ". */
  readonly reason: string
}

/** A command: its usage, its options and the groups they stand in. */
export interface CommandSpec {
  readonly name: string
  /** After the command's name, e.g. `[options] '<target>' <function> [arguments]`. */
  readonly usage: string
  readonly description: string
  readonly options: readonly OptionSpec[]
  readonly groups: readonly OptionGroup[]
  readonly refused: readonly RefusedOption[]
}

/** Every option of a command, those of its groups last. */
export function allOptions(spec: CommandSpec): readonly OptionSpec[] {
  return [...spec.options, ...spec.groups.flatMap((group) => group.options)]
}

/** True for an option that takes a value from the command line. */
export function takesValue(option: OptionSpec): boolean {
  return ['text', 'integer', 'number', 'choice', 'append'].includes(option.kind)
}
