// The reactor set in force: read at start, on a signal, after a change at run time, and when a file of it changes on disk.
import { watch } from 'node:fs'
import { BrineError, messageOf } from '../../core/error.ts'
import { loadYaml } from '../../core/render/index.ts'
import { checkTemplate } from '../../core/sls/lint/index.ts'
import { createReactorSet, type ReactorSet, type StoredReactorSet } from '../../reaction/index.ts'
import { type ReactorPlaces, readReactorSet } from '../../reaction/read-reactor-set.ts'
import type { EmbeddedOptions } from './compose.ts'
import type { EmbeddedStore } from './store/index.ts'

/** The set in force. */
export interface Reactors {
  current(): ReactorSet
  /** Reads entries and files again. A set that does not parse is refused: what is wrong is logged, and the old one stays. */
  reload(): Promise<void>
  close(): void
}

type Loader = (entries: StoredReactorSet['entries']) => StoredReactorSet

/**
 * Reads a set and refuses one with a file that does not parse, all such files named with line and reason. A file that was
 * broken when the master started fails alone and hinders no change of the others.
 */
export function checkedLoader(places: ReactorPlaces): Loader {
  let known: ReadonlySet<string> | undefined
  return (entries) => {
    const set = readReactorSet(entries, places)
    const texts = set.files.map(({ name, text }) => `${name}\n${text}`)
    const news = known === undefined ? [] : set.files.filter((_, index) => known?.has(texts[index] ?? '') === false)
    const problems = [...new Set(news.flatMap(({ name, text }) => problemOf(name, text) ?? []))]
    if (problems.length > 0) throw new BrineError(problems.join('; '), { code: 'reactors' })
    known = new Set(texts)
    return set
  }
}

/** Why a file does not parse. What Jinja makes can only be read when it is rendered; a file without any is read as YAML. */
function problemOf(name: string, text: string): string | undefined {
  const syntax = checkTemplate(text, name)
  if (syntax !== undefined) return `${name}:${syntax.line}: ${syntax.message}`
  if (/^#!|\{[{%#]/m.test(text)) return undefined
  try {
    loadYaml(text, { name })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Reads the set and follows it. */
export async function followReactors(
  options: Pick<EmbeddedOptions, 'places' | 'readEntries' | 'configDir' | 'log'> & {
    readonly config: EmbeddedStore['config']
  },
): Promise<Reactors> {
  const { config, places, log } = options
  let set = createReactorSet(await config.reactors())
  const readAgain = async (): Promise<void> => {
    try {
      const entries = await options.readEntries?.()
      await config.reload(entries)
      const stored = await config.reactors()
      if (stored.version === set.version) return
      set = createReactorSet(stored)
      log.info(
        `the reactor set is now ${stored.version}: ${stored.entries.length} entries, ${stored.files.length} files`,
      )
    } catch (error) {
      log.error(`the reactor set was refused, and ${set.version} stays in force: ${messageOf(error)}`)
    }
  }
  // One after the other: two at once could end in the wrong order.
  let reading: Promise<void> = Promise.resolve()
  const reload = (): Promise<void> => {
    reading = reading.then(readAgain)
    return reading
  }
  config.onChange(() => void reload())
  const folders = [
    places.reactorRoot,
    ...(places.fileRoots.base ?? []),
    ...(options.configDir === undefined ? [] : [options.configDir]),
  ]
  const watchers = folders.flatMap((folder) => watched(folder, reload))
  return {
    current: () => set,
    reload,
    close: () => {
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Milliseconds of quiet after a change before the files are read, so that a set written in pieces is read once. */
const settle = 200

function watched(directory: string, changed: () => Promise<void>): { close(): void }[] {
  let timer: NodeJS.Timeout | undefined
  try {
    const watcher = watch(directory, { recursive: true, persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => void changed(), settle)
    })
    // A folder that goes away ends its watch; SIGHUP still reads everything again.
    watcher.on('error', () => watcher.close())
    const close = (): void => {
      clearTimeout(timer)
      watcher.close()
    }
    return [{ close }]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
