// Where the console's files are: beside the bundled commands, or in the build's folder of a checkout.
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `dist/console`, whether this runs from `dist/chunks/` or from the sources. It need not be there. */
export function consoleFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  return here.endsWith(`${sep}chunks`) ? join(here, '..', 'console') : join(here, '..', 'dist', 'console')
}
