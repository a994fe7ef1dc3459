// Holds the cookbook to what the commands print: its blocks are compared, and written anew where that is asked for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ROOT } from '../system/built.ts'

const PAGE = join(ROOT, 'docs/cookbook.md')

/** A block of the page: `<!-- shown: name -->`, then what a terminal shows. */
const BLOCK = /<!-- shown: ([\w-]+) -->\n```console\n([\s\S]*?)```\n/g

/** The names of the page's blocks, in its order. */
export function shownNames(): string[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(BLOCK)].map(([, name = '']) => name)
}

/** The text of a file that the page shows below `<!-- file: path -->`. */
export function pageFile(path: string): string {
  const [, text] = readFileSync(PAGE, 'utf8').split(`<!-- file: ${path} -->\n`)
  const [, shown] = /^```\w+\n([\s\S]*?)```\n/.exec(text ?? '') ?? []
  if (shown === undefined) throw new Error(`docs/cookbook.md has no block "file: ${path}"`)
  return shown
}

/** What differs from run to run: ids, jids, times, and how long things took. */
function masked(text: string): string {
  return text
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, '<event>')
    .replace(/\b\d{20}\b/g, '<jid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g, '<time>')
    .replace(/[+-]\d+(?:\.\d+)? (?:ms|s|min \d+ s)\b/g, '<after>')
}

/**
 * The page shows this line and this output under the name. With `COOKBOOK=write` in the environment it is written there
 * instead; look at the difference before it is kept.
 */
export function expectShown(name: string, line: string, output: string, root: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const shown = `$ ${line}\n${output.replaceAll(`${root}/srv`, '/srv').replaceAll(root, '')}`
  const block = [...page.matchAll(BLOCK)].find(([, found]) => found === name)
  if (block === undefined) throw new Error(`docs/cookbook.md has no block "shown: ${name}"`)
  const [whole, , before = ''] = block
  if (process.env.COOKBOOK === 'write') {
    const written = `<!-- shown: ${name} -->\n\`\`\`console\n${shown}\`\`\`\n`
    if (masked(before) !== masked(shown))
      writeFileSync(
        PAGE,
        page.replace(whole, () => written),
      )
    return
  }
  expect(masked(before)).toBe(masked(shown))
}
