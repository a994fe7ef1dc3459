// The state of an orchestration as a badge.

/** How an orchestration stands, in a word. */
export function StatusBadge({ status, failed }: { readonly status: string; readonly failed: number }) {
  const kind = failed > 0 ? 'bad' : status === 'done' ? 'good' : 'warn'
  return (
    <span class={`badge ${kind}`}>
      {status}
      {failed > 0 ? `, ${failed} failed` : ''}
    </span>
  )
}
