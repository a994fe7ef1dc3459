// The quiet outputter: nothing.

/** Prints nothing, whatever returned. */
export function quiet(): string {
  return ''
}
