// Shows what an import of an index becomes, and that a split bundle then holds only what each of its parts needs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import esbuild from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leanImports } from './lean-imports.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brine-lean-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const files = {
  'x/index.ts': `export * from './deep/index.ts'\nexport { early as soon, type Shape } from './early.ts'\n`,
  'x/deep/index.ts': `export * from './late.ts'\n`,
  'x/deep/late.ts': `export async function late() { return 'LATE' }\nexport type Late = string\n`,
  'x/early.ts': `export type Shape = number\nexport const early = () => 'EARLY'\n`,
  'later.ts': `import { late } from './x/index.ts'\nexport const later = late\n`,
  'start.ts': [
    `import {`,
    `  type Shape,`,
    `  soon as quick,`,
    `} from './x/index.ts'`,
    `const shape: Shape = 1`,
    `console.log(quick(), shape)`,
    `export const more = () => import('./later.ts')`,
  ].join('\n'),
}

async function bundled(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  for (const [name, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['start.ts'],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    treeShaking: true,
    plugins: [leanImports],
    write: false,
    logLevel: 'silent',
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(join(folder, 'out/').length), text]))
}

describe('imports of an index', () => {
  it('take the file that defines a name, and leave the others to whoever needs them', async () => {
    const { 'start.js': start = '', ...others } = await bundled(files)
    expect(start).toContain('EARLY')
    expect(start).not.toContain('LATE')
    expect(Object.values(others).join('')).toContain('LATE')
  })

  it('of a name that is not found stay as they are, so that the bundler says what is missing', async () => {
    const missing = {
      ...files,
      'start.ts': `import { nothing, soon } from './x/index.ts'\nconsole.log(nothing, soon)\n`,
    }
    await expect(bundled(missing)).rejects.toThrow(/No matching export in "x\/index.ts" for import "nothing"/)
  })
})
