// `master.d/`, as the wheel writes it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BrineError } from '../../core/error.ts'
import type { ConfigFiles } from '../../master/wheel/config.ts'
import { writeBelow } from './store/write-below.ts'

const included = 'master.d'

/** The files below a folder of configuration. */
export function configFolder(folder: string): ConfigFiles {
  return {
    async read(name) {
      try {
        return await readFile(join(folder, included, name), 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    async write(name, text) {
      if (await writeBelow(folder, `${included}/${name}`, new TextEncoder().encode(text))) return
      throw new BrineError(`${join(folder, included, name)} cannot be written: it is no file, or lies elsewhere.`, {
        code: 'config',
      })
    },
  }
}
