// Makes one file of all that a split bundle reads at its start: finding, reading and compiling thirty small files takes
// Node longer than one that is as large as all of them (a fifth of a function's start).
import { basename, dirname } from 'node:path'
import esbuild from 'esbuild'

/**
 * The files of a bundle (esbuild's `outputFiles`), of which those at `start` (paths as the metafile has them, the entry
 * first) are now one, under the entry's name. What is read later imports from the others by their old names: each of
 * those that is asked for stays as a file that passes on what the entry has.
 */
export async function oneStart({ outputFiles, metafile }, start, options) {
  const [entry] = start
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const atStart = new Set(start)
  const later = Object.entries(metafile.outputs).filter(([path]) => !atStart.has(path))
  const asked = new Set(
    later.flatMap(([, { imports }]) => imports.map(({ path }) => path)).filter((path) => atStart.has(path)),
  )
  asked.delete(entry)
  const passed = [...asked].map((path, index) => ({ path, index, names: metafile.outputs[path].exports }))
  const list = (names) => `{${names.join(',')}}`
  const exported = passed.map(
    ({ path, index, names }) =>
      `export ${list(names.map((name) => `${name} as p${index}${name}`))} from './${basename(path)}'`,
  )
  const { outputFiles: whole } = await esbuild.build({
    stdin: { contents: [`export * from './${basename(entry)}'`, ...exported].join('\n'), resolveDir: '.' },
    ...options,
    plugins: [inMemory(texts)],
    write: false,
  })
  const folder = dirname(outputFiles.find(({ path }) => basename(path) === basename(entry)).path)
  const file = (path, text) => ({ path: `${folder}/${basename(path)}`, contents: Buffer.from(text) })
  return [
    file(entry, whole[0].text),
    ...passed.map(({ path, index, names }) =>
      file(path, `export ${list(names.map((name) => `p${index}${name} as ${name}`))} from './${basename(entry)}'\n`),
    ),
    ...outputFiles.filter(({ path }) => !start.some((read) => basename(read) === basename(path))),
  ]
}

/** Takes the files of a bundle from memory; what they import later, and what is Node's, stays an import. */
function inMemory(texts) {
  return {
    name: 'in-memory',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const isHere = kind === 'import-statement' && path.startsWith('./') && texts.has(basename(path))
        return isHere ? { path: basename(path), namespace: 'in-memory' } : { path, external: true }
      })
      build.onLoad({ filter: /.*/, namespace: 'in-memory' }, ({ path }) => ({ contents: texts.get(path) }))
    },
  }
}
