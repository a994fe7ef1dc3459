// Bundles the commands and the library into dist/: `npm run build`, and by npm itself in `prepare`.
//
// dist/<command>.mjs     a few lines with a shebang that turn the compile cache on and load the command
// dist/chunks/*.mjs      the commands, split so that a sub-command is read when it is used
// dist/client.mjs        the library for other programs, its types in client.d.ts and types/ (not with --no-types)
// dist/console/*         the web page
// dist/brine-minion.mjs  the agent as one file, packed, without native parts, for hosts that get nothing but it
//
// What cannot be bundled (native code) stays an import of a package, see EXTERNAL.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { buildConsole } from './build-console.mjs'
import { buildTypes } from './build-types.mjs'
import { leanImports } from './lean-imports.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Native packages, and those that `ws` asks for and does without. */
const UNNEEDED = new Set(['bufferutil', 'utf-8-validate'])
const EXTERNAL = ['lmdb', ...UNNEEDED]
/** The agent is one file of at most this many bytes. */
const AGENT_LIMIT = 1024 * 1024
const AGENT = 'brine-minion'

const say = (line) => process.stderr.write(`build: ${line}\n`)

/** esbuild, installed first where this runs in a checkout without its packages (`npm i -g .` in a fresh clone). */
async function bundler() {
  const require = createRequire(join(root, 'package.json'))
  const find = () => {
    try {
      return require.resolve('esbuild')
    } catch (error) {
      if (error.code === 'MODULE_NOT_FOUND') return undefined
      throw error
    }
  }
  if (find() === undefined) {
    say('esbuild is not installed here; running npm ci')
    const env = Object.fromEntries(
      Object.entries(process.env).filter(
        ([name]) => !/^npm_config_(global|prefix|location|omit|production)$/i.test(name),
      ),
    )
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const { status } = spawnSync(npm, ['ci', '--ignore-scripts', '--include=dev'], {
      cwd: root,
      env,
      stdio: ['ignore', 2, 2],
    })
    if (status !== 0)
      throw new Error(`build: npm ci ended with ${status}; run it by hand in ${root}, then npm run build`)
  }
  const path = find()
  if (path === undefined)
    throw new Error(`build: esbuild cannot be found from ${root} after npm ci; is it in devDependencies?`)
  return require(path)
}

/** The entry points that exist, as name → source; those that do not are told and left out. */
function entries() {
  const all = Object.keys(manifest.bin).map((name) => [name, `cli/${name}.ts`])
  all.push(['start', 'cli/start.ts'], ['client', 'client/index.ts'])
  return new Map(
    all.filter(([name, source]) => {
      const exists = existsSync(join(root, source))
      if (!exists) say(`no ${source}: ${name} left out`)
      return exists
    }),
  )
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // The AWS SDK's modules rather than its CommonJS, of which only what is used is left.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  sourcemap: 'linked',
  legalComments: 'eof',
  external: EXTERNAL,
  define: { __BRINE_VERSION__: JSON.stringify(manifest.version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [leanImports],
  metafile: true,
  write: false,
  logLevel: 'warning',
}

/** What a command's file holds: the rest is loaded behind the compile cache, which only later imports profit from. */
const launcher = (chunk) => `#!/usr/bin/env node
import module from 'node:module'
module.enableCompileCache?.()
await import('./chunks/${chunk}')
`

/** Builds everything split: one chunk a command and the chunks they share. */
async function buildSplit(esbuild, sources) {
  const result = await esbuild.build({
    ...shared,
    entryPoints: [...sources].map(([out, source]) => ({ in: source, out: `chunks/${out}` })),
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    outdir: dist,
    outExtension: { '.js': '.mjs' },
  })
  return result.outputFiles.map((file) => [relative(dist, file.path), file.contents])
}

/** The ten files that take most of a bundle, with their bytes in it. */
function largest(metafile) {
  const parts = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  parts.sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput)
  return parts
    .slice(0, 10)
    .map(([path, { bytesInOutput }]) => `${path} ${bytesInOutput}`)
    .join(', ')
}

/** Builds the agent as one file and holds it to its limits. */
async function buildAgent(esbuild, source) {
  const { banner: _, sourcemap: __, ...rest } = shared
  const result = await esbuild.build({
    ...rest,
    format: 'cjs',
    stdin: { contents: agentEntry(source), resolveDir: root, loader: 'ts' },
    minifyWhitespace: true,
    minifyIdentifiers: true,
    outfile: join(dist, `${AGENT}.cjs`),
  })
  for (const [path, output] of Object.entries(result.metafile.outputs)) {
    const packages = output.imports.filter(
      ({ external, path: name }) => external && !isBuiltin(name) && !UNNEEDED.has(name),
    )
    if (packages.length > 0)
      throw new Error(
        `build: ${path} imports ${packages.map((item) => item.path).join(', ')}: the agent runs without packages and native parts; see who imports platform/embedded`,
      )
  }
  const file = packedAgent(result.outputFiles[0].contents)
  if (file.length > AGENT_LIMIT)
    throw new Error(
      `build: ${AGENT}.mjs has ${file.length} bytes, more than ${AGENT_LIMIT}; its largest parts: ${largest(result.metafile)}`,
    )
  return [[`${AGENT}.mjs`, file]]
}

/** What the entry point runs, as something to call: CommonJS has no `await` at its top. */
function agentEntry(source) {
  const text = readFileSync(join(root, source), 'utf8')
  const [, name, from] = /import \{ (\w+) \} from '(\.[^']+)'/.exec(text) ?? []
  if (name === undefined) throw new Error(`build: ${source} imports no function to run`)
  return `export { ${name} as main } from './${join(dirname(source), from)}'`
}

/**
 * The agent's code, compressed, behind the lines that unpack and run it: a third of the size, on disk and on its way to a
 * fleet. Half of a start was the compiling of so much code: the engine's own cache of it, in a folder that nobody else may
 * write to, takes that away. Optimized code takes memory, and an agent mostly waits: only what runs for long is optimized.
 */
function packedAgent(code) {
  // Code from the engine's cache cannot import by itself: it asks the file around it.
  const imports = Buffer.from(code)
    .toString()
    .replace(/(?<![\w$.'"`])import\(/g, '$import(')
  const packed = brotliCompressSync(`(function(require,module,exports,$import){${imports}\n})`, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 20 },
  })
  const hash = createHash('sha256').update(packed).digest('hex').slice(0, 16)
  return Buffer.from(`#!/usr/bin/env node
// Brine's minion ${manifest.version}, packed. The readable source is in the package and its repository.
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { brotliDecompressSync } from 'node:zlib'
setFlagsFromString('--interrupt-budget=10000000')
const uid = process.getuid?.() ?? 0
const folder = process.env.BRINE_COMPILE_CACHE ?? (uid === 0 ? '/var/cache/brine/compile' : homedir() + '/.cache/brine/compile')
const file = folder + '/${AGENT}-${hash}-' + process.version + '-' + process.arch
const isOurs = (path) => {
  const stat = lstatSync(path)
  return stat.uid === uid && (stat.mode & 0o22) === 0
}
const cached = () => {
  try {
    return isOurs(folder) && isOurs(file) ? readFileSync(file) : undefined
  } catch {
    // Not there, or not readable: compiled as at the first start.
  }
}
const keep = (script) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isOurs(folder)) return
    writeFileSync(file + '.' + process.pid, script.createCachedData(), { mode: 0o600 })
    renameSync(file + '.' + process.pid, file)
  } catch {
    // A folder that cannot be written: the next start compiles again.
  }
}
const unpack = (text) => brotliDecompressSync(Buffer.from(text, 'base64')).toString('latin1')
const compiled = (code) => {
  const importModuleDynamically = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER
  // Before Node 20.12, code that is compiled so cannot import.
  if (importModuleDynamically === undefined) return (0, eval)(code)
  const cachedData = cached()
  const script = new vm.Script(code, { filename: 'brine-minion.cjs', importModuleDynamically, cachedData })
  if (script.cachedDataRejected !== false) setTimeout(keep, 2000, script).unref()
  return script.runInThisContext()
}
const load = (code) => {
  const module = { exports: {} }
  compiled(code)(createRequire(import.meta.url), module, module.exports, (name) => import(name))
  return module.exports
}
process.exitCode = await load(unpack('${packed.toString('base64')}')).main(process.argv.slice(2))
`)
}

/**
 * Writes the files so that everybody may read them, whatever the umask, and so that a program that starts meanwhile never
 * reads half of one, then removes what is not among them.
 */
function install(files) {
  process.umask(0o022)
  for (const [name, contents] of files) {
    const path = join(dist, name)
    mkdirSync(dirname(path), { recursive: true })
    const isCommand = !name.includes('/') && name.endsWith('.mjs')
    writeFileSync(`${path}.new`, contents, { mode: isCommand ? 0o755 : 0o644 })
    renameSync(`${path}.new`, path)
  }
  const kept = new Set(files.map(([name]) => name))
  for (const folder of ['', 'chunks'])
    for (const entry of existsSync(join(dist, folder)) ? readdirSync(join(dist, folder), { withFileTypes: true }) : [])
      if (entry.isFile() && /\.mjs(\.map)?$/.test(entry.name) && !kept.has(join(folder, entry.name)))
        rmSync(join(dist, folder, entry.name))
}

const esbuild = await bundler()
const sources = entries()
const agent = sources.get(AGENT)
const split = new Map([...sources].filter(([name]) => name !== AGENT))
const files = [
  ...(process.argv.includes('--no-types') ? [] : buildTypes(root, say)),
  ...(split.size > 0 ? await buildSplit(esbuild, split) : []),
  ...(agent === undefined ? [] : await buildAgent(esbuild, agent)),
  ...(await buildConsole(esbuild, root)),
  ...[...split.keys()].map((name) => [
    `${name}.mjs`,
    name === 'client' ? "export * from './chunks/client.mjs'\n" : launcher(`${name}.mjs`),
  ]),
]
install(files)
say(`${sources.size} entry points, ${files.length} files in dist/`)
