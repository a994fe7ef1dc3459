// The house rules: each takes a source file and gives the complaints about it, as sentences.
import { builtinModules } from 'node:module'
import { basename } from 'node:path'
import type { Declaration, Statement } from 'oxc-parser'
import { Visitor } from 'oxc-parser'
import { importsOf, isFree, isTest, ROOMS, resolveImport, roomOf, type Source } from './source.ts'

/** The most lines a file may have. */
export const LINE_LIMIT = 400

/** House.json's table: who may import whom. */
export function complainOfImports(source: Source): readonly string[] {
  if (isFree(source.path)) return []
  const home = roomOf(source.path)
  const row = home === undefined ? undefined : ROOMS.get(home)
  if (home === undefined || row === undefined) return [`${source.path} stands in no folder of house.json`]
  return importsOf(source).flatMap((specifier) => {
    const complaint = complainOfImport(home, row, source.path, specifier)
    return complaint === undefined ? [] : [`${source.path} imports ${specifier}: ${complaint}`]
  })
}

type Row = NonNullable<ReturnType<typeof ROOMS.get>>

function complainOfImport(home: string, row: Row, path: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) {
    const target = resolveImport(path, specifier)
    if (target === 'package.json') return undefined
    const room = roomOf(target)
    if (isTest(target) || room === undefined) return 'what is not in the house stays out of it'
    return room === home || row.imports.includes(room) ? undefined : `${home} may not import ${room} (house.json)`
  }
  const builtin = specifier.replace(/^node:/, '')
  if (builtinModules.includes(builtin)) {
    if (!specifier.startsWith('node:')) return `write node:${builtin}`
    return row.builtins === undefined || row.builtins.includes(builtin)
      ? undefined
      : `${home} may import of Node only ${row.builtins.join(', ') || 'nothing'}`
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
  return row.packages.includes(name) ? undefined : `${home} may not use the package ${name} (house.json)`
}

/** Every exported name has a doc comment; `XSchema` and the type `X` made of it are one and share theirs. */
export function complainOfDocs(source: Source): readonly string[] {
  if (isFree(source.path)) return []
  const documented = new Map<string, boolean>()
  const locals = new Map<string, boolean>()
  const renamed: [string, string][] = []
  for (const node of source.parsed.program.body) {
    if (node.type === 'ExportNamedDeclaration') {
      if (node.source !== null) continue
      for (const name of namesOf(node.declaration))
        documented.set(name, documented.get(name) === true || hasDoc(source, node.start))
      for (const item of node.specifiers) renamed.push([textOf(item.local), textOf(item.exported)])
    } else for (const name of namesOf(node)) locals.set(name, locals.get(name) === true || hasDoc(source, node.start))
  }
  for (const [local, exported] of renamed) if (locals.has(local)) documented.set(exported, locals.get(local) === true)
  const pair = (name: string) => (name.endsWith('Schema') ? name.slice(0, -'Schema'.length) : `${name}Schema`)
  return [...documented]
    .filter(([name, has]) => !has && documented.get(pair(name)) !== true)
    .map(([name]) => `${source.path} exports ${name} without a doc comment (/** … */: contract and surprises)`)
}

function textOf(node: { type: string; name?: string; value?: string }): string {
  return node.name ?? node.value ?? ''
}

function namesOf(node: Declaration | Statement | null): readonly string[] {
  switch (node?.type) {
    case 'VariableDeclaration':
      return node.declarations.map((item) => (item.id.type === 'Identifier' ? item.id.name : '(a pattern)'))
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return node.id === null ? [] : [node.id.name]
    default:
      return []
  }
}

function hasDoc({ parsed, text }: Source, start: number): boolean {
  return parsed.comments.some(
    (comment) =>
      comment.type === 'Block' &&
      comment.value.startsWith('*') &&
      comment.end <= start &&
      text.slice(comment.end, start).trim() === '',
  )
}

/** The first line (after a shebang) is a comment that says what the file is for. */
export function complainOfFirstLine({ path, text }: Source): readonly string[] {
  const lines = text.split('\n')
  const first = lines[0]?.startsWith('#!') ? lines[1] : lines[0]
  const words = /^(?:\/\/|\/\*\*?)\s*(.*?)(?:\*\/)?$/.exec(first ?? '')?.[1]?.split(/\s+/) ?? []
  return words.length >= 3 ? [] : [`${path} does not begin with a comment saying what the file is for`]
}

/** No file is longer than {@link LINE_LIMIT}. */
export function complainOfLength({ path, text }: Source): readonly string[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines <= LINE_LIMIT ? [] : [`${path} has ${lines} lines, more than ${LINE_LIMIT}: which two ideas are in it?`]
}

/** A file and a folder are named for an idea. */
export function complainOfNames({ path }: Source): readonly string[] {
  const vague = path.split(/[/.-]/).find((part) => /^(utils?|helpers?|common|misc)$/.test(part))
  return vague === undefined ? [] : [`${path}: "${vague}" names no idea`]
}

/** An index only re-exports. */
export function complainOfIndex({ path, parsed }: Source): readonly string[] {
  if (!/^index\.tsx?$/.test(basename(path)) || isFree(path)) return []
  const other = parsed.program.body.find(
    (node) => node.type !== 'ExportAllDeclaration' && !(node.type === 'ExportNamedDeclaration' && node.source !== null),
  )
  return other === undefined ? [] : [`${path} does more than re-export: ${other.type}`]
}

/** No test is skipped, singled out or announced. (`skipIf` and `runIf` name their condition and are welcome.) */
export function complainOfSkips({ path, parsed }: Source): readonly string[] {
  const found: string[] = []
  new Visitor({
    MemberExpression(node) {
      if (node.property.type !== 'Identifier' || !/^(skip|only|todo)$/.test(node.property.name)) return
      if (node.object.type === 'Identifier' && /^(it|test|describe|suite|bench)$/.test(node.object.name))
        found.push(`${path}: ${node.object.name}.${node.property.name}`)
    },
  }).visit(parsed.program)
  return found
}
