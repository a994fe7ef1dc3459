// Prints the docs of every function, state and beacon of the minion: `npx tsx scripts/docs-modules.ts` writes docs/modules.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtInBeacons } from '../agent/beacons/built-in.ts'
import { builtInModules } from '../agent/modules/built-in.ts'
import { builtInStates } from '../agent/states/built-in.ts'
import type { Signature } from '../core/arguments/index.ts'
import { pythonRepr } from '../core/value/index.ts'

/** Where the page is. */
export const MODULES_PAGE = fileURLToPath(new URL('../docs/modules.md', import.meta.url))

interface Documented {
  readonly signature: Signature
  readonly doc: string
}

type Module = { readonly name: string; readonly functions: Readonly<Record<string, Documented>> }

const byName = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (a.name < b.name ? -1 : 1))

/** The whole page. */
export function modulesPage(): string {
  const functions = builtInModules.flatMap(({ functions: own }) => Object.keys(own)).length
  const states = builtInStates.flatMap(({ functions: own }) => Object.keys(own)).length
  return [
    '# Functions, states and beacons\n',
    `What a minion brings along: ${functions} functions, ${states} states, ${builtInBeacons().length} beacons. Written by \`npx tsx scripts/docs-modules.ts\`; \`brine '*' sys.doc\` and \`sys.state_doc\` print the same.\n`,
    contents('Functions', builtInModules, 'functions'),
    contents('States', builtInStates, 'states'),
    '## Functions\n',
    ...byName(builtInModules).map((module) => moduleText(module, '')),
    '## States\n',
    ...byName(builtInStates).map((module) => moduleText(module, 'state ')),
    '## Beacons\n',
    ...byName(builtInBeacons()).map(({ name, doc }) => `### beacon ${name}\n\n${markdown(doc)}\n`),
  ].join('\n')
}

function contents(title: string, modules: readonly Module[], word: string): string {
  const prefix = word === 'states' ? 'state-' : ''
  return `${title}: ${byName(modules)
    .map(({ name }) => `[${name}](#${prefix}${name})`)
    .join(', ')}.\n`
}

function moduleText({ name, functions }: Module, prefix: string): string {
  const parts = Object.keys(functions)
    .sort()
    .map((short) => functionText(`${name}.${short}`, functions[short]))
  return [`### ${prefix}${name}\n`, ...parts].join('\n')
}

function functionText(name: string, fun: Documented | undefined): string {
  if (fun === undefined) return ''
  return `#### \`${name}(${signatureText(fun.signature)})\`\n\n${markdown(fun.doc)}\n`
}

function signatureText({ params, varArgs, varKwargs }: Signature): string {
  const plain = params.map(({ name, default: value }) => (value === undefined ? name : `${name}=${pythonRepr(value)}`))
  return [...plain, ...(varArgs === true ? ['*args'] : []), ...(varKwargs === true ? ['**kwargs'] : [])].join(', ')
}

/** reStructuredText as the docs use it: literals, code blocks, and names above what they mean. */
function markdown(doc: string): string {
  return doc
    .replaceAll('``', '`')
    .replace(/^(?!\.\.)(\S[^\n]*)\n {4}(?=\S)/gm, (_, term: string) => `- **${term}**: `)
    .replace(/\.\. code-block:: (\S+)\n\n((?: {4}.*\n?|\n)+)/g, (_, language: string, block: string) => {
      const lines = block.trimEnd().split('\n')
      return `\`\`\`${language}\n${lines.map((line) => line.replace(/^ {4}/, '')).join('\n')}\n\`\`\`\n`
    })
    .trimEnd()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(MODULES_PAGE, modulesPage())
