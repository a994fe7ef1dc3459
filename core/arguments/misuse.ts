// What a function's caller reads when the arguments do not fit, in the words of the minion, salt-run and salt-call.

/** A doc text as Python keeps it: an empty first line, four spaces before every line, whatever all had, none before blanks. */
export function docstring(doc: string): string {
  const lines = doc.replace(/^\n+|\s+$/g, '').split('\n')
  const written = lines.filter((line) => line.trim() !== '')
  const indent = Math.min(...written.map((line) => line.length - line.trimStart().length))
  return `\n${lines.map((line) => (line.trim() === '' ? '' : `    ${line.slice(indent)}`)).join('\n')}\n    `
}

/** A doc as `sys.doc` tells it: {@link docstring} without reStructuredText's marks. */
export function strippedDoc(doc: string): string {
  return docstring(doc)
    .replace(/ *\.\. code-block:: \S+\n{1,2}/g, '')
    .replaceAll('.. note::', 'Note:')
    .replaceAll('.. warning::', 'Warning:')
    .replaceAll('.. versionadded::', 'New in version')
    .replaceAll('.. versionchanged::', 'Changed in version')
}

/** The return of a job whose arguments do not fit; `words` come from `bindArguments`, `doc` has no indent. */
export function minionMisuse(fun: string, words: string, doc: string): string {
  return `Passed invalid arguments to ${fun}: ${words}\n${docstring(doc)}`
}

/** The return of a job given keywords the function does not know; `words` come from `invalidKeywords`. */
export function minionInvocationError(fun: string, words: string): string {
  return `ERROR executing '${fun}': ${words}`
}

/** The return of a runner or wheel function whose arguments do not fit. */
export function runnerMisuse(words: string, doc: string): string {
  return `\nPassed invalid arguments: ${words}\n\nUsage:\n${docstring(doc)}`
}

/** What salt-call writes to stderr, above the function's doc on stdout. */
export function callMisuse(words: string): string {
  return `\nPassed invalid arguments: ${words}.\n\nUsage:\n`
}

/** What is returned for a function nobody has. */
export function notAvailable(fun: string): string {
  return `'${fun}' is not available.`
}
