// Bundles the console: what a browser loads, from console/ to dist/console/.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** All of its JavaScript, in bytes. */
const LIMIT = 150 * 1024

/** The console's files, as name below dist/ → contents. Fails where its JavaScript is larger than the limit. */
export async function buildConsole(esbuild, root) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['console/main.tsx', 'console/style.css'],
    outdir: join(root, 'dist/console'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  })
  const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'))
  const bytes = scripts.reduce((sum, { contents }) => sum + contents.length, 0)
  if (bytes > LIMIT) throw new Error(`build: the console has ${bytes} bytes of JavaScript, more than ${LIMIT}`)
  return [
    ...outputFiles.map(({ path, contents }) => [`console/${basename(path)}`, contents]),
    ...['index.html', 'icon.svg'].map((name) => [`console/${name}`, readFileSync(join(root, 'console', name))]),
  ]
}
