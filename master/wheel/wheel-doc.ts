// How a wheel function's doc is written: what it does, and how a program calls it.

/** The doc, as `doc.wheel` prints it. `example` is the function with its arguments. */
export function wheelDoc(what: string, example: string): string {
  return `    ${what}\n\n    CLI Example:\n\n    .. code-block:: python\n\n        wheel ${example}\n`
}
