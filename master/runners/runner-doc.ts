// How a runner function's doc is written: what it does, and the command lines that call it.

/** The doc, as `brine-run -d` prints it. `lines` are functions with their arguments. */
export function docOf(what: string, lines: readonly string[]): string {
  const shown = lines.map((line) => `        brine-run ${line}`).join('\n')
  return `    ${what}\n\n    CLI Example:\n\n    .. code-block:: bash\n\n${shown}\n`
}
