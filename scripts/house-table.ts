// Prints house.json as the table of docs/architecture.md: `npx tsx scripts/house-table.ts` brings the page up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOMS, type Room } from '../test/house/source.ts'

const BEGIN = '<!-- house.json: begin -->\n'
const END = '<!-- house.json: end -->\n'

/** The table as Markdown, one row a folder. */
export function printTable(rooms: ReadonlyMap<string, Room>): string {
  const list = (items: readonly string[]) => (items.length === 0 ? '–' : items.map((item) => `\`${item}\``).join(', '))
  const rows = [...rooms].map(
    ([name, room]) => `| \`${name}/\` | ${room.what} | ${list(room.imports)} | ${list(room.packages)} |\n`,
  )
  return `| folder | what lives there | may import | packages |\n|---|---|---|---|\n${rows.join('')}`
}

/** What stands between the page's two markers. */
export function readTable(page: string): string {
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = fileURLToPath(new URL('../docs/architecture.md', import.meta.url))
  const page = readFileSync(path, 'utf8')
  const begin = page.indexOf(BEGIN) + BEGIN.length
  writeFileSync(path, page.slice(0, begin) + printTable(ROOMS) + page.slice(page.indexOf(END)))
}
