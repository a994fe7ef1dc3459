// Bundles runners of a user's own: `node scripts/bundle-runners.mjs OUT FOLDER…`. Each FOLDER/NAME.mjs becomes OUT/NAME.mjs with
// all that it imports but the AWS SDK, which Lambda has; the first folder that has a name wins. Each is loaded once, as Lambda
// would load it, to see what it exports.
//
// The last line on stdout is JSON: the functions by runner. What is wrong is told on stderr, all of it, and the exit code is 1.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import esbuild from 'esbuild'

const [out, ...folders] = process.argv.slice(2)
if (out === undefined || folders.length === 0) {
  process.stderr.write('usage: node scripts/bundle-runners.mjs OUT FOLDER…\n')
  process.exit(64)
}
mkdirSync(out, { recursive: true })
const problems = []
const runners = {}
for (const folder of folders) {
  if (!existsSync(folder)) {
    problems.push(`There is no folder ${folder}.`)
    continue
  }
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (name.endsWith('.py')) {
      const runner = basename(name, '.py')
      problems.push(
        `${path} is Python, which Brine does not run. Write it as ${runner}.mjs: export function …({ … }), and remove it.`,
      )
    }
    const runner = basename(name, '.mjs')
    if (!name.endsWith('.mjs') || runners[runner] !== undefined) continue
    runners[runner] = []
    const problem = await bundle(path, join(out, name), runner)
    if (problem !== undefined) problems.push(`${path}: ${problem}`)
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${JSON.stringify(runners)}\n`)
// What was loaded may have left timers behind.
process.exit(problems.length > 0 ? 1 : 0)

/** What is wrong with it. */
async function bundle(path, to, runner) {
  try {
    await esbuild.build({
      entryPoints: [path],
      outfile: to,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node22',
      external: ['@aws-sdk/*'],
      logLevel: 'silent',
      banner: {
        js: "import { createRequire as brineCreateRequire } from 'node:module'; const require = brineCreateRequire(import.meta.url);",
      },
    })
  } catch (error) {
    const [first] = error.errors ?? []
    if (first === undefined) return String(error)
    const at = first.location ? `line ${first.location.line}: ` : ''
    return `${at}${first.text}`
  }
  try {
    const module = await import(pathToFileURL(to).href)
    for (const [name, value] of Object.entries(module)) if (typeof value === 'function') runners[runner].push(name)
  } catch (error) {
    return `it does not load: ${error instanceof Error ? error.message : error}`
  }
  return runners[runner].length === 0 ? 'it exports no function. Write export function name({ … }) { … }.' : undefined
}
