// What a variant is: a command typed at Salt's programs and at ours alike, and the files it finds.

/** A command. */
export interface Variant {
  readonly name: string
  readonly program: 'salt' | 'salt-run' | 'salt-key' | 'salt-call'
  readonly args: readonly string[]
  readonly stdin?: string
  /** True where the events it caused are compared too. */
  readonly events?: boolean
  /** What it causes goes on when it has ended: the next waits until nothing more comes. */
  readonly goesOn?: boolean
}

/** Commands of one subject, with the files of `srv/` that they need, by path. */
export interface Subject {
  readonly files: Readonly<Record<string, string>>
  /** What stands in the master's configuration: the reactor's part of it. */
  readonly reactor?: string
  readonly variants: readonly Variant[]
}

/** A command by its name and what is typed. */
export function typed(
  program: Variant['program'],
  more: Partial<Pick<Variant, 'events' | 'stdin' | 'goesOn'>> = {},
): (name: string, ...args: readonly string[]) => Variant {
  return (name, ...args) => ({ name, program, args, ...more })
}
