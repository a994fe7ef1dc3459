// What stands around each page: the name, the way to the pages, how the stream stands, light or dark, who is logged in.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useBus } from './api/use.ts'
import { ThemeSwitch } from './parts/theme.tsx'

interface ShellProps {
  readonly pages: readonly { readonly path: string; readonly title: string }[]
  readonly path: string
  readonly title: string
  readonly user: string
  readonly leave: () => void
  readonly children: ComponentChildren
}

/** The page's frame. */
export function Shell({ pages, path, title, user, leave, children }: ShellProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  useEffect(() => {
    if (!first.current) heading.current?.focus()
    first.current = false
  }, [path])
  return (
    <>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to the page
      </button>
      <header class="top">
        <Brand />
        <nav aria-label="Pages">
          {pages.map((page) => (
            <a key={page.path} href={`#/${page.path}`} aria-current={page.path === path ? 'page' : undefined}>
              {page.title}
            </a>
          ))}
        </nav>
        <div class="top-end">
          <StreamLamp />
          <ThemeSwitch />
          <span class="user">{user}</span>
          <button type="button" class="quiet" onClick={leave}>
            Log out
          </button>
        </div>
      </header>
      <main id="main">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </main>
    </>
  )
}

/** The name with its waves. */
export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect width="32" height="32" rx="7" class="brand-ground" />
        <path d="M5 13c3.5 0 3.5-4 7-4s3.500 4 7 4 3.500-4 8-4M5 23c3.500 0 3.500-4 7-4s3.500 4 7 4 3.500-4 8-4" />
      </svg>
      Brine
    </span>
  )
}

function StreamLamp() {
  const { state } = useBus()
  const words = { connecting: 'connecting', live: 'live', broken: 'no stream' }[state.kind]
  return (
    <span
      class={`lamp ${state.kind}`}
      role="status"
      title={state.kind === 'broken' ? state.reason : 'The event stream'}
    >
      {words}
    </span>
  )
}
