// The library's types for dist/: what client/index.ts exports, and whatever that refers to.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'

const ENTRY = 'client/index.d.ts'

/** Names below dist/ and contents. Throws with what the compiler says; an empty list where there is no compiler. */
export function buildTypes(root, say) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  if (!existsSync(compiler)) {
    say('typescript is not installed here: the library’s types are left out')
    return []
  }
  const out = mkdtempSync(join(tmpdir(), 'brine-types-'))
  try {
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.types.json', '--outDir', out], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`build: the library’s types do not compile:\n${stdout}`)
    const files = reached(out)
    const main = "export * from './types/client/index.js'\n"
    return [['client.d.ts', main], ...[...files].map(([name, text]) => [`types/${name}`, text])]
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The entry and all that it imports, one from the other; imports named as JavaScript, which is how they are looked up. */
function reached(folder) {
  const found = new Map()
  const open = [ENTRY]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']*)\.ts'/g))
      open.push(normalize(join(dirname(name), `${path}.d.ts`)))
    found.set(name, text.replace(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'"))
  }
  return found
}
