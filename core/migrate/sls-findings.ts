// An SLS file or a template: its renderer, the functions its Jinja asks, and the states it declares.
import { nearest } from '../config/nearest.ts'
import { checkTemplate } from '../sls/lint/index.ts'
import type { Finding } from './finding.ts'
import { saltStateModules } from './salt-state-modules.ts'

/** What there is to call, by full names; a `*` for all of a module's functions, as code of the user's own has them. */
export interface Known {
  readonly execution: ReadonlySet<string>
  readonly states: ReadonlySet<string>
  readonly runner: ReadonlySet<string>
  readonly wheel: ReadonlySet<string>
}

/** What a file is for: states are looked for in `state` files alone. */
export type SlsKind = 'state' | 'pillar' | 'template'

/** The findings of one text, in the order of its lines; each function once. */
export function slsFindings(file: string, text: string, kind: SlsKind, known: Known): Finding[] {
  const problem = checkTemplate(text, file)
  const parsed: Finding[] =
    problem === undefined
      ? []
      : [{ verdict: 'missing', file, line: problem.line, subject: 'template', message: problem.message }]
  const asked = templateCalls(text).map(({ fun, line }) => judged(file, line, fun, 'function', known.execution))
  const states = kind === 'state' ? stateFindings(file, text, known) : []
  const seen = new Set<string>()
  return [...parsed, ...[...asked, ...states].sort((a, b) => (a.line ?? 0) - (b.line ?? 0))].filter((finding) => {
    const key = `${finding.verdict} ${finding.subject}`
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

interface CallAt {
  readonly fun: string
  readonly line: number
}

/** `salt['x.y']`, `salt["x.y"]` and `salt.x.y(`. */
function templateCalls(text: string): CallAt[] {
  const pattern = /\bsalt\[\s*(['"])([\w.]+)\1\s*\]|\bsalt\.([a-z_]\w*\.[a-z_]\w*)\s*\(/g
  return [...text.matchAll(pattern)].map((match) => ({
    fun: match[2] ?? match[3] ?? '',
    line: lineAt(text, match.index),
  }))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function judged(file: string, line: number, fun: string, what: string, known: ReadonlySet<string>): Finding {
  const base = { file, line, subject: `${what} ${fun}` }
  if (known.has(fun) || known.has(`${fun.split('.')[0]}.*`)) return { ...base, verdict: 'works', message: '' }
  const meant = nearest(fun, known)
  const hint = meant === undefined ? '' : ` The nearest is ${meant}.`
  return { ...base, verdict: 'missing', message: `Brine has none of that name.${hint}` }
}

/** Steps of an orchestration. */
const steps = ['state', 'function', 'runner', 'wheel', 'parallel_runners', 'wait_for_event']

/** `mod.fun:` below an id, `mod:` with `- fun` below it, and what `module.run` and an orchestration's steps name. */
function stateFindings(file: string, text: string, known: Known): Finding[] {
  const found: Finding[] = []
  const states = new Set([...known.states, ...steps.map((step) => `salt.${step}`)])
  let current = ''
  const lines = text.replace(/\{#[\s\S]*?#\}/g, (comment) => comment.replace(/[^\n]/g, '')).split('\n')
  for (const [index, line] of lines.entries()) {
    const declared = stateOf(line, lines[index + 1] ?? '', known.states)
    if (declared !== undefined) {
      current = declared
      found.push(judged(file, index + 1, declared, 'state', states))
      continue
    }
    const named = calledBy(current, line)
    if (named !== undefined) {
      const [client, fun] = named
      found.push(judged(file, index + 1, fun, client === 'execution' ? 'function' : client, known[client]))
    }
  }
  return found
}

function stateOf(line: string, next: string, states: ReadonlySet<string>): string | undefined {
  const full = /^\s+([a-z_]\w*)\.([a-z_]\w*)(?::\s*(?:\[\s*\]|\{\s*\})?)?\s*(?:#.*)?$/.exec(line)
  if (full !== null) return isModule(full[1], states) ? `${full[1]}.${full[2]}` : undefined
  const module = /^\s+([a-z_]\w*):\s*(?:#.*)?$/.exec(line)?.[1]
  const fun = /^\s+- ([a-z_]\w*)\s*(?:#.*)?$/.exec(next)?.[1]
  return fun !== undefined && isModule(module, states) ? `${module}.${fun}` : undefined
}

function isModule(name: string | undefined, states: ReadonlySet<string>): boolean {
  return name !== undefined && (name === 'salt' || saltStateModules.has(name) || states.has(`${name}.*`))
}

/** The function that a line of `module.run`, `salt.function`, `salt.runner` or `salt.wheel` names. */
function calledBy(state: string, line: string): readonly ['execution' | 'runner' | 'wheel', string] | undefined {
  const name = /^\s+- name:\s*['"]?([a-z_]\w*\.[a-z_]\w*(?:\.\w+)?)['"]?\s*$/.exec(line)?.[1]
  if (state === 'module.run') {
    const fun = name ?? /^\s+- ([a-z_]\w*\.[a-z_]\w*):?\s*(?:\[\s*\])?$/.exec(line)?.[1]
    return fun === undefined ? undefined : ['execution', fun]
  }
  if (name === undefined) return undefined
  if (state === 'salt.function') return ['execution', name]
  if (state === 'salt.runner') return ['runner', name]
  return state === 'salt.wheel' ? ['wheel', name] : undefined
}
