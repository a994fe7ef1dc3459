// Shows that each house rule complains of what breaks it and of nothing else.
import { describe, expect, it } from 'vitest'
import {
  complainOfDocs,
  complainOfFirstLine,
  complainOfImports,
  complainOfIndex,
  complainOfLength,
  complainOfNames,
  complainOfSkips,
} from './rules.ts'
import { parseSource } from './source.ts'

const imports = (path: string, text: string) => complainOfImports(parseSource(path, text)).length
const docs = (text: string) => complainOfDocs(parseSource('core/x.ts', text)).length

describe('imports', () => {
  it.each([
    ['core/a.ts', "import { z } from 'zod'", 0],
    ['core/a.ts', "import type { Plan } from '../reaction/plan.ts'", 1],
    ['core/a.ts', "type P = import('../reaction/plan.ts').Plan", 1],
    ['core/a.ts', "export * from '../reaction/plan.ts'", 1],
    ['core/a.ts', "await import('../reaction/plan.ts')", 1],
    ['core/a.ts', 'await import(`../$' + '{name}.ts`)', 1],
    ['agent/a.ts', 'await import(pathToFileURL(path).href)', 0],
    ['core/a.ts', "import { readFile } from 'node:fs'", 1],
    ['core/a.ts', "import { createHash } from 'node:crypto'", 0],
    ['core/a.ts', "import { createHash } from 'crypto'", 1],
    ['core/a.ts', "import { open } from 'lmdb'", 1],
    ['core/a.test.ts', "import { open } from 'lmdb'", 0],
    ['core/event/a.ts', "import { x } from '../value/index.ts'", 0],
    ['core/a.ts', "import { x } from '../test/house/source.ts'", 1],
    ['reaction/a.ts', "import { x } from '../core/error.ts'", 0],
    ['platform/embedded/a.ts', "import { x } from '../aws/compose.ts'", 1],
    ['platform/aws/layout/a.ts', "import { x } from '../compose.ts'", 1],
    ['platform/aws/compose.ts', "import { x } from './layout/keys.ts'", 0],
    ['cdk/a.ts', "import { x } from '../platform/aws/layout/keys.ts'", 0],
    ['cdk/a.ts', "import { x } from '../platform/aws/compose.ts'", 1],
    ['attic/a.ts', 'const x = 1', 1],
    ['bench/a.ts', "import { open } from 'lmdb'", 0],
  ])('%s with %s: %i', (path, text, complaints) => {
    expect(imports(path, text)).toBe(complaints)
  })
})

describe('doc comments', () => {
  it.each([
    ['export const a = 1', 1],
    ['/** Says. */\nexport const a = 1', 0],
    ['// Not a doc comment.\nexport const a = 1', 1],
    ['/** For b. */\nconst b = 1\nexport const a = 1', 1],
    ['/** Says. */\nconst a = 1\nexport { a as b }', 0],
    ['const a = 1\nexport { a as b }', 1],
    ["export { a } from './a.ts'", 0],
    ["import { a } from './a.ts'\nexport { a }", 0],
    ['export interface A { readonly b: 1 }', 1],
    [
      '/** Says. */\nexport function f(a: 1): 1\nexport function f(a: 2): 2\nexport function f(a: 1 | 2) { return a }',
      0,
    ],
    ['export const ASchema = 1\n/** Says. */\nexport type A = typeof ASchema', 0],
    ['export const ASchema = 1\nexport type A = typeof ASchema', 2],
  ])('%s: %i', (text, complaints) => {
    expect(docs(text)).toBe(complaints)
  })
})

describe('files', () => {
  it.each([
    ['// Says what it is for.', 0],
    ['#!/usr/bin/env node\n// Says what it is for.', 0],
    ['const x = 1', 1],
    ['//', 1],
  ])('first line %s: %i', (text, complaints) => {
    expect(complainOfFirstLine(parseSource('core/a.ts', text))).toHaveLength(complaints)
  })

  it('are at most 400 lines long', () => {
    expect(complainOfLength(parseSource('core/a.ts', '\n'.repeat(400)))).toEqual([])
    expect(complainOfLength(parseSource('core/a.ts', '\n'.repeat(401)))).toHaveLength(1)
  })

  it.each([
    ['core/utils/a.ts', 1],
    ['core/string-helpers.ts', 1],
    ['core/misc.test.ts', 1],
    ['core/commonmark.ts', 0],
  ])('name %s: %i', (path, complaints) => {
    expect(complainOfNames(parseSource(path, ''))).toHaveLength(complaints)
  })

  it('named index only re-export', () => {
    expect(complainOfIndex(parseSource('core/index.ts', "export * from './a.ts'"))).toEqual([])
    expect(complainOfIndex(parseSource('core/index.ts', 'export const a = 1'))).toHaveLength(1)
  })

  it.each([
    [`it.${'skip'}('x', f)`, 1],
    [`describe.${'only'}('x', f)`, 1],
    [`it.${'todo'}('x')`, 1],
    ["it.skipIf(absent)('x', f)", 0],
    ["it('it.skip in a text', f)", 0],
  ])('tests: %s: %i', (text, complaints) => {
    expect(complainOfSkips(parseSource('core/a.test.ts', text))).toHaveLength(complaints)
  })
})
