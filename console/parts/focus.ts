// Where the keyboard is: in a panel while it is open, and back where it was when that closes.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A ref for a panel's heading, which has the focus when the panel opens. */
export function useHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.activeElement
    heading.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return heading
}
