// Tests run with the umask under which Salt's answers were recorded, whatever that of who starts them.

/** Vitest calls it once, in the process whose threads and children run the tests. */
export function setup(): void {
  process.umask(0o022)
}
