// Compiles the tree of a regular expression to instructions for the matcher.
import { budgetError } from '../budget.ts'
import { type Assertion, type CharTest, type ParsedRegex, type RegexNode, type RepeatMode, widthOf } from './node.ts'

/** One instruction; numbers are the instructions to go on with. */
export type Instruction =
  | { readonly op: 'char'; readonly test: CharTest }
  | {
      readonly op: 'run'
      readonly test: CharTest
      readonly min: number
      readonly max: number
      readonly mode: RepeatMode
    }
  | { readonly op: 'assert'; readonly what: Assertion; readonly ascii: boolean }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'save'; readonly slot: number }
  /** Remembers where an iteration began. */
  | { readonly op: 'enter'; readonly slot: number }
  /** Leaves the loop behind an iteration that took nothing. */
  | { readonly op: 'progress'; readonly slot: number; exit: number }
  | { readonly op: 'reference'; readonly group: number; readonly ignoreCase: boolean }
  | {
      readonly op: 'look'
      readonly program: readonly Instruction[]
      readonly width: number
      readonly negative: boolean
    }
  | { readonly op: 'atomic'; readonly program: readonly Instruction[] }
  | { readonly op: 'branch'; readonly group: number; no: number }
  | { readonly op: 'match' }

/** What the matcher runs. */
export interface RegexProgram {
  readonly instructions: readonly Instruction[]
  /** Two for each group and for the whole, then one for each loop. */
  readonly slots: number
  readonly groups: number
  readonly names: ReadonlyMap<string, number>
}

const MAX_INSTRUCTIONS = 20_000

/** Compiles; throws where repetitions would make the program too long. */
export function compileRegex({ root, groups, names }: ParsedRegex): RegexProgram {
  const writer = new Writer(groups * 2 + 2)
  const instructions = writer.program(root)
  return { instructions, slots: writer.slots, groups, names }
}

class Writer {
  slots: number
  private count = 0

  constructor(slots: number) {
    this.slots = slots
  }

  program(node: RegexNode): Instruction[] {
    const out: Instruction[] = []
    this.write(node, out)
    out.push({ op: 'match' })
    return out
  }

  private write(node: RegexNode, out: Instruction[]): void {
    if (++this.count > MAX_INSTRUCTIONS) throw budgetError('instructions in one regular expression', MAX_INSTRUCTIONS)
    switch (node.kind) {
      case 'char':
        out.push({ op: 'char', test: node.test })
        return
      case 'assert':
        out.push({ op: 'assert', what: node.what, ascii: node.ascii })
        return
      case 'sequence':
        for (const item of node.items) this.write(item, out)
        return
      case 'choice':
        this.choice(node.options, out)
        return
      case 'group':
        out.push({ op: 'save', slot: node.index * 2 })
        this.write(node.body, out)
        out.push({ op: 'save', slot: node.index * 2 + 1 })
        return
      case 'repeat':
        this.repeat(node, out)
        return
      case 'look':
        out.push({
          op: 'look',
          program: this.program(node.body),
          width: node.behind ? (widthOf(node.body) ?? 0) : 0,
          negative: node.negative,
        })
        return
      case 'atomic':
        out.push({ op: 'atomic', program: this.program(node.body) })
        return
      case 'reference':
        out.push({ op: 'reference', group: node.group, ignoreCase: node.ignoreCase })
        return
      case 'condition': {
        const branch: Instruction = { op: 'branch', group: node.group, no: 0 }
        out.push(branch)
        this.write(node.yes, out)
        const jump: Instruction = { op: 'jump', to: 0 }
        out.push(jump)
        branch.no = out.length
        this.write(node.no, out)
        jump.to = out.length
      }
    }
  }

  private choice(options: readonly RegexNode[], out: Instruction[]): void {
    const jumps: { op: 'jump'; to: number }[] = []
    options.forEach((option, index) => {
      if (index === options.length - 1) {
        this.write(option, out)
        return
      }
      const split: Instruction = { op: 'split', first: out.length + 1, second: 0 }
      out.push(split)
      this.write(option, out)
      const jump = { op: 'jump' as const, to: 0 }
      out.push(jump)
      jumps.push(jump)
      split.second = out.length
    })
    for (const jump of jumps) jump.to = out.length
  }

  private repeat(node: Extract<RegexNode, { kind: 'repeat' }>, out: Instruction[]): void {
    const { body, min, max, mode } = node
    if (body.kind === 'char') {
      out.push({ op: 'run', test: body.test, min, max, mode })
      return
    }
    if (mode === 'possessive') {
      out.push({ op: 'atomic', program: this.program({ ...node, mode: 'greedy' }) })
      return
    }
    for (let turn = 0; turn < min; turn++) this.write(body, out)
    if (max === Number.POSITIVE_INFINITY) this.loop(body, mode, out)
    else this.optional(body, max - min, mode, out)
  }

  private loop(body: RegexNode, mode: RepeatMode, out: Instruction[]): void {
    const slot = this.slots++
    const start = out.length
    const split: Instruction = { op: 'split', first: 0, second: 0 }
    out.push(split, { op: 'enter', slot })
    this.write(body, out)
    const progress: Instruction = { op: 'progress', slot, exit: 0 }
    out.push(progress, { op: 'jump', to: start })
    progress.exit = out.length
    this.aim(split, start + 1, out.length, mode)
  }

  private optional(body: RegexNode, times: number, mode: RepeatMode, out: Instruction[]): void {
    const splits: {
      readonly split: { first: number; second: number }
      readonly into: number
      readonly progress: { exit: number }
    }[] = []
    for (let turn = 0; turn < times; turn++) {
      const split = { op: 'split' as const, first: 0, second: 0 }
      const slot = this.slots++
      out.push(split, { op: 'enter', slot })
      const progress = { op: 'progress' as const, slot, exit: 0 }
      splits.push({ split, into: out.length - 1, progress })
      this.write(body, out)
      out.push(progress)
    }
    for (const { split, into, progress } of splits) {
      progress.exit = out.length
      this.aim(split, into, out.length, mode)
    }
  }

  private aim(split: { first: number; second: number }, into: number, past: number, mode: RepeatMode): void {
    split.first = mode === 'lazy' ? past : into
    split.second = mode === 'lazy' ? into : past
  }
}
