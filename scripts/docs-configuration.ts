// Prints the configuration keys as the tables of docs/configuration.md: `npx tsx scripts/docs-configuration.ts` brings the page up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ConfigKeys, masterKeys, minionKeys, restKeys, saltOnlyKeys } from '../core/config/index.ts'

const TABLES = { master: masterKeys, rest_cherrypy: restKeys, minion: minionKeys }

/** The page with its tables replaced by those of the keys. */
export function printPage(page: string): string {
  let printed = page
  for (const [name, keys] of Object.entries(TABLES)) printed = replaced(printed, name, printKeys(keys))
  return replaced(printed, 'unused', printUnused())
}

function printKeys(keys: ConfigKeys): string {
  const rows = Object.entries(keys)
    .filter(([, { unused }]) => unused === undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, key]) => {
      const own = key.own === true ? ' (Brine)' : ''
      return `| \`${name}\`${own} | ${cell(key.type.allowed)} | ${printValue(key.value)} | ${cell(key.doc)} |\n`
    })
  return `| key | allowed | default | what it does |\n|---|---|---|---|\n${rows.join('')}`
}

function printValue(value: unknown): string {
  return value === null || value === ''
    ? '–'
    : `\`${value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

function printUnused(): string {
  const reasons = new Map<string, string[]>()
  const own = Object.values(TABLES).flatMap((keys) => Object.entries(keys as ConfigKeys))
  const unused = new Map(own.flatMap(([name, key]) => (key.unused === undefined ? [] : [[name, key.unused] as const])))
  for (const [key, why] of [...unused, ...saltOnlyKeys]) reasons.set(why, [...(reasons.get(why) ?? []), `\`${key}\``])
  return [...reasons].map(([why, keys]) => `**${why}** ${keys.join(', ')}\n`).join('\n')
}

function replaced(page: string, name: string, text: string): string {
  const begin = `<!-- ${name}: begin -->\n`
  const end = `<!-- ${name}: end -->`
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has no place for ${name}: ${begin.trim()} … ${end}`)
  return page.slice(0, from + begin.length) + text + page.slice(to)
}

/** Where the page is. */
export const PAGE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, printPage(readFileSync(PAGE, 'utf8')))
