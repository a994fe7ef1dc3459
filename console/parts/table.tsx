// A table that scrolls by itself where it is wider than the page.
import type { ComponentChildren } from 'preact'

interface TableProps {
  readonly label: string
  /** The heads; one beginning with `-` is left out on a phone. */
  readonly heads: readonly string[]
  readonly rows: readonly {
    readonly key: string
    readonly cells: readonly ComponentChildren[]
    readonly current?: boolean
  }[]
}

/** The first cell of a row heads it. */
export function Table({ label, heads, rows }: TableProps) {
  const classes = heads.map((head) => (head.startsWith('-') ? 'wide' : undefined))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="table-box" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" class={classes[index]}>
                {head.replace(/^-/, '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells, current = false }) => (
            <tr key={key} class={current ? 'current' : undefined}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th key={heads[index]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={heads[index]} class={classes[index]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
