// Bundles the Lambda functions: `node scripts/bundle-functions.mjs OUT`. Each functions/NAME.ts becomes OUT/NAME/index.mjs.
//
// One file a function, the SDK inside: it starts in half the time that it takes with the SDK of the runtime. The last line
// on stdout is JSON: the bytes of each. Fails where one is larger than LIMIT, and names what it is made of.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import esbuild from 'esbuild'
import manifest from '../package.json' with { type: 'json' }
import { zodInParts } from './zod-in-parts.mjs'

/** A function is at most this large, minified. */
const LIMIT = 600 * 1024

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = process.argv[2]
if (out === undefined) {
  process.stderr.write('usage: node scripts/bundle-functions.mjs OUT\n')
  process.exit(64)
}
const names = readdirSync(join(root, 'functions'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -'.ts'.length))

const { metafile, outputFiles } = await esbuild.build({
  absWorkingDir: root,
  entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  legalComments: 'none',
  external: ['lmdb'],
  define: { __BRINE_VERSION__: JSON.stringify(manifest.version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [zodInParts],
  metafile: true,
  write: false,
  logLevel: 'error',
})

/** The ten packages and folders that take most of a bundle, with their bytes in it. */
function largest(inputs) {
  const parts = new Map()
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/').slice(0, 2).join('/')
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
  }
  const sorted = [...parts].sort((a, b) => b[1] - a[1]).slice(0, 10)
  return sorted.map(([part, bytes]) => `${part} ${bytes}`).join(', ')
}

rmSync(out, { recursive: true, force: true })
for (const { path, contents } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
}
const sizes = {}
for (const [path, output] of Object.entries(metafile.outputs)) {
  const name = path.split('/').at(-2)
  sizes[name] = output.bytes
  if (output.bytes > LIMIT) {
    process.stderr.write(
      `The function ${name} has ${output.bytes} bytes, more than ${LIMIT}. Its largest parts: ${largest(output.inputs)}\n`,
    )
    process.exitCode = 1
  }
}
process.stdout.write(`${JSON.stringify(sizes)}\n`)
