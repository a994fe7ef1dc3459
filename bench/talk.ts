// What a benchmark says while it works: on stderr, since stdout holds its result.

/** Says a line of progress. */
export function say(line: string): void {
  process.stderr.write(`bench: ${line}\n`)
}
