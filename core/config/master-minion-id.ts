// What a master is called as its own minion.

/** The `id` that the master's configuration chose; else its name with `_master`, as Salt has it. */
export function masterMinionId(chosen: string, name: string): string {
  return chosen === '' ? `${name}_master` : chosen
}
