// Bundles the Lambda functions: `node scripts/bundle-functions.mjs OUT`. Each functions/NAME.ts becomes a folder OUT/NAME with
// index.mjs, and beside it what it imports later: the SDK is inside, and what few invocations need is read when they do.
//
// The last line on stdout is JSON: for each function `bytes`, which are read when it starts, `all`, its whole folder, and
// `parts`, the packages and folders whose code is read at the start, with their bytes. Fails where one reads more than LIMIT
// then, and names what that is made of.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import esbuild from 'esbuild'
import manifest from '../package.json' with { type: 'json' }
import { buildConsole } from './build-console.mjs'
import { leanImports } from './lean-imports.mjs'
import { oneStart } from './one-start.mjs'

/** A function reads at most so many bytes, minified, before its first invocation. */
const LIMIT = 600 * 1024

/** How every file is written. */
const form = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  logLevel: 'error',
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = process.argv[2]
if (out === undefined) {
  process.stderr.write('usage: node scripts/bundle-functions.mjs OUT\n')
  process.exit(64)
}
const names = readdirSync(join(root, 'functions'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => name.slice(0, -'.ts'.length))

/** Reads a package's own package.json, of which the SDK wants the version, as that and its name. */
const shortManifests = {
  name: 'short-manifests',
  setup(build) {
    build.onLoad({ filter: /node_modules\/.*\/package\.json$/ }, ({ path }) => {
      const { name, version } = JSON.parse(readFileSync(path, 'utf8'))
      return { contents: JSON.stringify({ name, version }), loader: 'json' }
    })
  },
}

/** Our own modules do nothing when they are read: one of which nothing is used is left out. */
const pureModules = {
  name: 'pure-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point' || resolveDir.includes('node_modules')) return undefined
      return { path: join(resolveDir, path), sideEffects: false }
    })
  },
}

/**
 * The SDK's clients that are read later are bundled by themselves, with parts of the SDK that the others have too: what
 * two bundles share would be read with the first of them, for all that only the second needs of it.
 */
const laterClients = {
  name: 'later-clients',
  setup(build) {
    build.onResolve({ filter: /\/sdk\/[a-z0-9-]+\.ts$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined
      return { path: `./sdk/${path.split('/').at(-1).replace(/\.ts$/, '.mjs')}`, external: true }
    })
  },
}

/** The entries of the second bundle: what the first one left out. */
function clientsIn({ outputs }) {
  const external = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external === true))
  return [...new Set(external.map(({ path }) => path).filter((path) => path.startsWith('./sdk/')))].map((path) => {
    const name = path.slice('./sdk/'.length, -'.mjs'.length)
    return { in: `platform/aws/sdk/${name}.ts`, out: `sdk/${name}` }
  })
}

/** A function, of which what it reads at its start is one file, and what it reads later. */
async function bundle(name) {
  const { outputFiles, metafile } = await build(name, [{ in: `functions/${name}.ts`, out: 'index' }], [laterClients])
  const start = readAtStart(metafile.outputs)
  const first = await oneStart({ outputFiles, metafile }, start, form)
  const clients = clientsIn(metafile)
  const second = clients.length === 0 ? { outputFiles: [] } : await build(name, clients, [])
  return {
    name,
    files: [...first, ...second.outputFiles],
    bytes: first[0].contents.length,
    parts: partsOf(start.map((path) => metafile.outputs[path])),
  }
}

function build(name, entryPoints, plugins) {
  return esbuild.build({
    ...form,
    absWorkingDir: root,
    entryPoints,
    outdir: join(out, name),
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    mainFields: ['module', 'main'],
    external: ['lmdb'],
    alias: {
      '@aws-sdk/credential-provider-node': './platform/aws/sdk/environment-credentials.ts',
      '@aws-sdk/middleware-endpoint-discovery': './platform/aws/sdk/no-endpoint-discovery.ts',
    },
    define: { __BRINE_VERSION__: JSON.stringify(manifest.version) },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [...plugins, leanImports, shortManifests, pureModules],
    metafile: true,
    write: false,
  })
}

/** The outputs that are read when the entry is: it, and what it imports by statement, and so on. */
function readAtStart(outputs) {
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint?.startsWith('functions/'))
  const found = new Set([entry])
  for (const path of found)
    for (const { path: imported, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && external !== true) found.add(imported)
  return [...found]
}

/** The packages and folders of some outputs with their bytes in them, the largest first. */
function partsOf(outputs) {
  const parts = new Map()
  for (const [path, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const part = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/').slice(0, 3).join('/')
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput)
  }
  return Object.fromEntries([...parts].filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1]))
}

rmSync(out, { recursive: true, force: true })
const sizes = {}
for (const { name, files, bytes, parts } of await Promise.all(names.map(bundle))) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  sizes[name] = { bytes, all: files.reduce((sum, { contents }) => sum + contents.length, 0), parts }
  if (bytes > LIMIT) {
    const largest = Object.entries(parts).slice(0, 10)
    process.stderr.write(
      `The function ${relative(root, join(root, 'functions', name))} reads ${bytes} bytes at its start, more than ${LIMIT}. Its largest parts: ${largest.map((part) => part.join(' ')).join(', ')}\n`,
    )
    process.exitCode = 1
  }
}
// The gateway serves the console, whose files it has beside it.
mkdirSync(join(out, 'gateway', 'console'), { recursive: true })
for (const [name, contents] of await buildConsole(esbuild, root)) writeFileSync(join(out, 'gateway', name), contents)
process.stdout.write(`${JSON.stringify(sizes)}\n`)
