// The transcripts' runner `lab`: salt-lab/srv/salt/_runners/lab.py in our form.

/** Returns what it was given. */
export function noop({ n, t0, rest }) {
  return { n, t0, args: [], kwargs: rest }
}
noop.params = { n: null, t0: null, '**': true }
noop.idempotent = true
