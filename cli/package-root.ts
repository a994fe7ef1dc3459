// Where this package is, whether it runs from `dist/chunks/` or from the sources.
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder with `dist/` and `packaging/`. */
export function packageRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.endsWith(`${sep}chunks`) ? join(here, '..', '..') : join(here, '..')
}
