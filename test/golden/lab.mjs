// The transcripts' runner `lab`: salt-lab/srv/salt/_runners/lab.py in our form.

/** Returns what it was given. */
export function noop({ n = null, t0 = null, args = [], ...kwargs } = {}) {
  return { n, t0, args, kwargs }
}
