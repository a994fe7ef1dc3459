// Moves the paths of a configuration below `root_dir`, as Salt does.
import type { ConfigKeys, ConfigOf } from './key.ts'
import type { Written } from './merge.ts'

/**
 * A path that is written and relative lies below `root_dir`. Where `root_dir` itself is written, every path does: absolute
 * ones too, unless they lie there already, and defaults are those of root.
 */
export function moveBelowRoot<Keys extends ConfigKeys>(
  keys: Keys,
  config: ConfigOf<Keys>,
  written: ReadonlyMap<string, Written>,
): ConfigOf<Keys> {
  const paths = config as Readonly<Record<string, unknown>>
  const root = String(paths.root_dir).replace(/\/+$/, '')
  const isMoved = written.has('root_dir')
  const moved: Record<string, unknown> = { ...paths }
  for (const [name, key] of Object.entries(keys)) {
    if (key.path !== true || paths[name] === null) continue
    const path = String(written.has(name) || !isMoved ? paths[name] : key.value)
    const isBelow = path === root || path.startsWith(`${root}/`)
    moved[name] = path.startsWith('/') && (isBelow || !isMoved) ? path : `${root}/${path.replace(/^\/+/, '')}`
  }
  return moved as ConfigOf<Keys>
}
