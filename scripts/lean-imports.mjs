// An esbuild plugin that reads our sources with imports of which a bundler can leave more out.
//
// `import { a } from './x/index.ts'` imports the file that defines `a`: a bundle that is split takes everything an index
// names, whoever it is for.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const IMPORT = /^import \{([^}]*)\} from '(\.[^']*\/index\.ts)'/gm
const DECLARED = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm
const LISTED = /^export \{([^}]*)\}(?: from '(\.[^']+)')?/gm
const STARRED = /^export \* from '(\.[^']+)'/gm

/** The plugin. */
export const leanImports = {
  name: 'lean-imports',
  setup(build) {
    const known = new Map()
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined
      const source = readFileSync(path, 'utf8')
      const contents = source.replace(IMPORT, (statement, names, index) => direct(statement, path, names, index, known))
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
    })
  },
}

/** One statement for each file that defines some of the names; types are left out, and what is not found stays as it is. */
function direct(statement, path, names, index, known) {
  const folder = dirname(path)
  const exported = exportsOf(join(folder, index), known)
  const files = new Map()
  for (const { name, as } of specifiers(names)) {
    const found = exported.get(name)
    if (found === undefined) return statement
    const from = relative(folder, found.file)
    files.set(from, [...(files.get(from) ?? []), found.name === as ? as : `${found.name} as ${as}`])
  }
  // On one line, so that lines stay where they are.
  const statements = [...files].map(([file, all]) => `import { ${all} } from '${file[0] === '.' ? file : `./${file}`}'`)
  return statements.join(';')
}

/** The values that a file exports: by name, where each is defined and what it is called there. */
function exportsOf(file, known) {
  if (known.has(file)) return known.get(file)
  const found = new Map()
  known.set(file, found)
  if (!existsSync(file)) return found
  const source = readFileSync(file, 'utf8')
  for (const [, name] of source.matchAll(DECLARED)) found.set(name, { file, name })
  for (const [, names, from] of source.matchAll(LISTED)) {
    const elsewhere = from === undefined ? undefined : exportsOf(join(dirname(file), from), known)
    for (const { name, as } of specifiers(names)) found.set(as, elsewhere?.get(name) ?? { file, name: as })
  }
  for (const [, from] of source.matchAll(STARRED))
    for (const [name, place] of exportsOf(join(dirname(file), from), known))
      if (!found.has(name)) found.set(name, place)
  return found
}

/** `a, b as c, type D` without the types. */
function specifiers(names) {
  const written = names.split(',').map((each) => each.trim())
  return written
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(' as '))
    .map(([name, as = name]) => ({ name, as }))
}
