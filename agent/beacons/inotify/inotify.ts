// The `inotify` beacon: changes of files and directories.

import { tagGlob } from '../../../core/event/tag-glob.ts'
import { pythonRegex } from '../../../core/target/python-regex.ts'
import { isList, isMap, type Mapping, pythonEquals, pythonStr, type Value } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind, BeaconWorld } from '../beacon.ts'
import { mapOf } from '../entry.ts'
import { defaultMask, maskNames, maskOptions } from './change.ts'
import { inotifywaitPath, watchExactly } from './exact-watch.ts'
import { nativeMask, watchNatively } from './native-watch.ts'
import { WatchedPath } from './watched-path.ts'

/** Paths below `files`, or, as older configurations have it, beside the other options. */
export const inotifyBeacon: BeaconKind = {
  name: 'inotify',
  doc: `Tell changes of files and directories. A file may be replaced: it is still watched.

mask: access, attrib, close_nowrite, close_write, create, delete, delete_self, modify, moved_from, moved_to, move_self
and open; create, delete and modify where none is given. access, open, close_* and moved_from need inotifywait(1).

.. code-block:: yaml

    beacons:
      inotify:
        - files:
            /etc/important_file:
              mask:
                - modify
            /opt/app:
              recurse: True
              auto_add: True
              exclude:
                - /opt/app/log
                - /opt/app/.*\\.tmp$:
                    regex: True
        - coalesce: True
        - disable_during_state_run: True`,
  unavailable: () => (process.platform === 'linux' ? undefined : 'Only Linux has inotify.'),
  validate,
  open(world) {
    const paths = new Map<string, { readonly written: Value; readonly path: WatchedPath }>()
    return {
      look(options) {
        const files = filesOf(options)
        for (const [path, { written, path: watched }] of paths) {
          if (files[path] !== undefined && pythonEquals(files[path], written)) continue
          watched.close()
          paths.delete(path)
        }
        const events = [...paths].flatMap(([path, { path: watched }]) => eventsOf(watched, files[path]))
        for (const [path, written] of Object.entries(files)) {
          if (paths.has(path)) continue
          const watched = watchedPath(path, written, world)
          watched.turn()
          paths.set(path, { written, path: watched })
        }
        return options.coalesce === true ? once(events) : events
      },
      quiet() {
        for (const { path } of paths.values()) path.quiet()
      },
      close() {
        for (const { path } of paths.values()) path.close()
        paths.clear()
      },
    }
  },
}

/** The paths with their options. */
function filesOf(options: Mapping): Mapping {
  const files = mapOf(options.files)
  if (files !== undefined) return files
  return Object.fromEntries(Object.entries(options).filter(([key]) => key.startsWith('/')))
}

function watchedPath(path: string, written: Value, world: BeaconWorld): WatchedPath {
  const file = mapOf(written) ?? {}
  const listed = isList(file.mask) ? file.mask.map(pythonStr) : []
  const mask = new Set(listed.length === 0 ? defaultMask : maskNames.filter((name) => listed.includes(name)))
  const needed = [...mask].filter((name) => !nativeMask.has(name))
  const program = needed.length === 0 ? undefined : inotifywaitPath()
  if (needed.length > 0 && program === undefined) {
    world.log.warn(
      `${path}: ${needed.join(', ')} cannot be watched without inotifywait(1); install inotify-tools. The rest of the mask is watched.`,
    )
  }
  const options = { mask, recurse: file.recurse === true, autoAdd: file.auto_add === true }
  return new WatchedPath(path, options, (directory) =>
    program === undefined ? watchNatively(directory) : watchExactly(program, directory, mask, world.log),
  )
}

function eventsOf(watched: WatchedPath, written: Value | undefined): BeaconEvent[] {
  const isExcluded = excluder(mapOf(written)?.exclude)
  return watched
    .turn()
    .filter(({ path }) => !isExcluded(path))
    .map(({ directory, path, change }) => ({ tag: directory, path, change }))
}

/** `exclude`: a path that events' paths begin with, a shell pattern, or `expression: {regex: True}`. */
function excluder(exclude: Value | undefined): (path: string) => boolean {
  const tests = (isList(exclude) ? exclude : []).map((item): ((path: string) => boolean) => {
    if (isMap(item)) {
      const [pattern = '', how] = Object.entries(mapOf(item) ?? {})[0] ?? []
      if (mapOf(how)?.regex !== true) return (path) => path.startsWith(pattern)
      const regex = pythonRegex(pattern, { anchor: 'search' })
      return (path) => regex.test(path)
    }
    const text = pythonStr(item)
    return text.includes('*') ? tagGlob(text) : (path) => path.startsWith(text)
  })
  return (path) => tests.some((test) => test(path))
}

function once(events: readonly BeaconEvent[]): BeaconEvent[] {
  return [...new Map(events.map((event) => [JSON.stringify([event.path, event.change]), event])).values()]
}

function validate(options: Mapping): string | undefined {
  if (options.files !== undefined && mapOf(options.files) === undefined)
    return 'Configuration for inotify beacon invalid, files must be a dict.'
  const files = filesOf(options)
  if (options.files === undefined && Object.keys(files).length === 0)
    return 'Configuration for inotify beacon must include files.'
  for (const written of Object.values(files)) {
    const wrong = fileProblem(written)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function fileProblem(written: Value): string | undefined {
  const file = mapOf(written)
  if (file === undefined) return 'Configuration for inotify beacon must be a list of dictionaries.'
  if (['mask', 'recurse', 'auto_add'].every((name) => file[name] === undefined))
    return 'Configuration for inotify beacon must contain mask, recurse or auto_add items.'
  for (const name of ['auto_add', 'recurse'])
    if (file[name] !== undefined && typeof file[name] !== 'boolean')
      return `Configuration for inotify beacon ${name} must be boolean.`
  if (file.mask === undefined) return excludeProblem(file.exclude)
  if (!isList(file.mask)) return 'Configuration for inotify beacon mask must be list.'
  const known: readonly string[] = [...maskNames, ...maskOptions]
  const unknown = file.mask.map(pythonStr).find((name) => !known.includes(name))
  return unknown === undefined
    ? excludeProblem(file.exclude)
    : `Configuration for inotify beacon invalid mask option ${unknown}.`
}

function excludeProblem(exclude: Value | undefined): string | undefined {
  try {
    excluder(exclude)
    return undefined
  } catch (error) {
    return `Configuration for inotify beacon exclude: ${error instanceof Error ? error.message : String(error)}`
  }
}
