// Calls that a platform ends after a while: they answer before with what there is.

/** What comes of the work, or undefined where it takes longer than so many milliseconds; it goes on then. */
export async function withinLongest<T>(work: Promise<T>, longest: number | undefined): Promise<T | undefined> {
  if (longest === undefined) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, longest, undefined)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
