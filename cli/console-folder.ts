// Where the console's files are: beside the bundled commands, or in the build's folder of a checkout.
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

/** `dist/console`, whether this runs from `dist/chunks/` or from the sources. It need not be there. */
export function consoleFolder(): string {
  return join(packageRoot(), 'dist', 'console')
}
