// Holds every source file of the repository to the house rules, and the docs to what is there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printTable, readTable } from '../../scripts/house-table.ts'
import {
  complainOfDocs,
  complainOfFirstLine,
  complainOfImports,
  complainOfIndex,
  complainOfLength,
  complainOfNames,
  complainOfSkips,
} from './rules.ts'
import { ROOMS, ROOT, readSources } from './source.ts'

const sources = readSources()
const pages = ['README.md', 'CONTRIBUTING.md'].concat(
  ['docs', 'docs/adr'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
)

describe('the house', () => {
  it('has sources to judge', () => {
    expect(sources.length).toBeGreaterThan(20)
  })

  it.each([
    ['imports only what its row of house.json allows', complainOfImports],
    ['has a doc comment on every exported name', complainOfDocs],
    ['begins each file by saying what it is for', complainOfFirstLine],
    ['has no file over 400 lines', complainOfLength],
    ['names files for ideas', complainOfNames],
    ['has indexes that only re-export', complainOfIndex],
    ['skips no test', complainOfSkips],
  ] as const)('%s', (_, rule) => {
    expect(sources.flatMap(rule)).toEqual([])
  })

  it('lists only rooms and packages that exist in its table', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const known = new Set(
      ['dependencies', 'devDependencies', 'peerDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {})),
    )
    for (const [name, room] of ROOMS) {
      expect(
        room.imports.filter((other) => !ROOMS.has(other)),
        `imports of ${name}`,
      ).toEqual([])
      if (sources.some((source) => source.path.startsWith(`${name}/`)))
        expect(
          room.packages.filter((item) => !known.has(item)),
          `packages of ${name}`,
        ).toEqual([])
    }
  })

  it('is printed in docs/architecture.md as house.json has it', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')
    expect(readTable(page), 'run: npx tsx scripts/house-table.ts').toBe(printTable(ROOMS))
  })

  it.each(pages)('is described in %s by files that are there', (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|jsonl|md|sls))`/g)].map(([, path = '']) => path)
    const linked = [...text.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)].map(([, path = '']) => join(dirname(page), path))
    // What is built is there after a build.
    const kept = [...named, ...linked].filter((path) => !path.startsWith('dist/'))
    expect(kept.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
