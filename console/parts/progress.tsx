// How much of something has come.

/** A bar and the same in words; what failed is told apart. */
export function Progress({
  label,
  done,
  failed,
  all,
}: {
  readonly label: string
  readonly done: number
  readonly failed: number
  readonly all: number
}) {
  const part = (count: number): number => (all === 0 ? 0 : (count / all) * 100)
  return (
    <div class="progress">
      <svg
        viewBox="0 0 100 4"
        preserveAspectRatio="none"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={done}
      >
        <rect width="100" height="4" class="rest" />
        <rect width={part(done)} height="4" class="done" />
        <rect width={part(failed)} height="4" class="bad" />
      </svg>
      <span class="note">
        {done} of {all}
        {failed === 0 ? '' : `, ${failed} failed`}
      </span>
    </div>
  )
}
