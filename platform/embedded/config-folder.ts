// `master.d/`, as the wheel writes it.
import { join } from 'node:path'
import { BrineError } from '../../core/error.ts'
import type { ConfigFiles } from '../../master/wheel/config.ts'
import { readText } from './read-text.ts'
import { writeBelow } from './store/write-below.ts'

const included = 'master.d'

/** The files below a folder of configuration. */
export function configFolder(folder: string): ConfigFiles {
  return {
    read: (name) => readText(join(folder, included, name)),
    async write(name, text) {
      if (await writeBelow(folder, `${included}/${name}`, new TextEncoder().encode(text))) return
      throw new BrineError(`${join(folder, included, name)} cannot be written: it is no file, or lies elsewhere.`, {
        code: 'config',
      })
    },
  }
}
