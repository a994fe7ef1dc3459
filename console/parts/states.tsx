// What a part shows while it has nothing to show: waiting, empty, failed.
import type { ComponentChildren } from 'preact'

/** What went wrong, read out at once; with a way to try again where there is one. */
export function Problem({ what, again }: { readonly what: string; readonly again?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{what}</p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Nothing is there, and what to do about it. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}

/** An answer is waited for. */
export function Waiting() {
  return (
    <p class="waiting" role="status">
      Asking the master…
    </p>
  )
}

/** The right one of the three, or the value drawn. */
export function Answer<T>({
  asked,
  children,
}: {
  readonly asked: { readonly value: T | undefined; readonly error: string | undefined; reload(): void }
  readonly children: (value: T) => ComponentChildren
}) {
  if (asked.error !== undefined) return <Problem what={asked.error} again={asked.reload} />
  if (asked.value === undefined) return <Waiting />
  return <>{children(asked.value)}</>
}
