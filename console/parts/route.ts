// Where one is: the address's part behind `#/`.
import { useEffect, useState } from 'preact/hooks'

/** The page, and what of it is shown (`#/jobs/20261121134954330054`); both '' at first. */
export function usePath(): readonly [page: string, what: string] {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = (): void => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  const [, page = '', what = ''] = /^#\/?([^/]*)\/?(.*)$/s.exec(hash) ?? []
  return [page, decodeURIComponent(what)]
}

/** Goes to a page, or to something on it. */
export function goTo(page: string, what = ''): void {
  location.hash = `#/${page}${what === '' ? '' : `/${encodeURIComponent(what)}`}`
}
