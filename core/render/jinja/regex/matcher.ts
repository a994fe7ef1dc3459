// Runs a compiled regular expression by backtracking, in counted steps: no pattern and no text can keep it busy.
import { fold, isWord } from './char-class.ts'
import type { Instruction, RegexProgram } from './program.ts'

/** Steps that are charged as one step of the template. */
const STEPS_A_CHARGE = 16

/** What can be gone back to: another instruction at another place, a run one character shorter or longer, or a slot. */
type Retry =
  | { readonly kind: 'at'; readonly pc: number; readonly at: number }
  | { readonly kind: 'shorter'; readonly pc: number; at: number; readonly least: number }
  | { readonly kind: 'longer'; readonly pc: number; at: number; readonly most: number }
  | { readonly kind: 'slot'; readonly slot: number; readonly value: number }

/** Matches one program against one text, given as code points. */
export class Matcher {
  private readonly text: readonly number[]
  private readonly program: RegexProgram
  private readonly charge: (steps: number) => void
  private slots: number[]
  private steps = 0

  constructor(program: RegexProgram, text: readonly number[], charge: (steps: number) => void) {
    this.program = program
    this.text = text
    this.charge = charge
    this.slots = []
  }

  /**
   * The slots of a match that begins at `start`: begin and end of the whole and of each group, -1 where a group took no
   * part. `nonEmpty` refuses a match that takes nothing, `whole` one that leaves something.
   */
  matchAt(start: number, nonEmpty: boolean, whole: boolean): readonly number[] | undefined {
    this.slots = new Array<number>(this.program.slots).fill(-1)
    const accept = (end: number): boolean => (!nonEmpty || end > start) && (!whole || end === this.text.length)
    const end = this.run(this.program.instructions, start, accept)
    if (end < 0) return undefined
    this.slots[0] = start
    this.slots[1] = end
    return this.slots.slice(0, this.program.groups * 2 + 2)
  }

  /** Where the program ends, or -1. Slots that a failure changed are put back. */
  private run(program: readonly Instruction[], start: number, accept: (end: number) => boolean): number {
    const retries: Retry[] = []
    let pc = 0
    let at = start
    for (;;) {
      if (++this.steps % STEPS_A_CHARGE === 0) this.charge(1)
      const instruction = program[pc]
      let next = -1
      if (instruction !== undefined) {
        if (instruction.op === 'match') {
          if (accept(at)) return at
        } else if (instruction.op === 'split') {
          retries.push({ kind: 'at', pc: instruction.second, at })
          pc = instruction.first
          continue
        } else if (instruction.op === 'jump') {
          pc = instruction.to
          continue
        } else if (instruction.op === 'branch') {
          pc = (this.slots[instruction.group * 2 + 1] ?? -1) >= 0 ? pc + 1 : instruction.no
          continue
        } else if (instruction.op === 'progress') {
          pc = this.slots[instruction.slot] === at ? instruction.exit : pc + 1
          continue
        } else next = this.step(instruction, pc, at, retries)
      }
      if (next >= 0) {
        at = next
        pc++
        continue
      }
      const retry = this.back(retries)
      if (retry === undefined) return -1
      pc = retry.pc
      at = retry.at
    }
  }

  /** Where an instruction leads, or -1. */
  private step(instruction: Instruction, pc: number, at: number, retries: Retry[]): number {
    switch (instruction.op) {
      case 'char': {
        const code = this.text[at]
        return code !== undefined && instruction.test(code) ? at + 1 : -1
      }
      case 'run':
        return this.runOf(instruction, pc, at, retries)
      case 'assert':
        return this.holds(instruction.what, at, instruction.ascii) ? at : -1
      case 'save':
      case 'enter':
        retries.push({ kind: 'slot', slot: instruction.slot, value: this.slots[instruction.slot] ?? -1 })
        this.slots[instruction.slot] = at
        return at
      case 'reference':
        return this.reference(instruction.group, instruction.ignoreCase, at)
      case 'look':
        return this.look(instruction, at, retries)
      case 'atomic':
        return this.inner(instruction.program, at, () => true, retries)
      default:
        return -1
    }
  }

  private back(retries: Retry[]): { pc: number; at: number } | undefined {
    for (let retry = retries.pop(); retry !== undefined; retry = retries.pop()) {
      if (retry.kind === 'at') return retry
      if (retry.kind === 'slot') {
        this.slots[retry.slot] = retry.value
        continue
      }
      const at = retry.kind === 'shorter' ? retry.at - 1 : retry.at + 1
      const { pc } = retry
      const limit = retry.kind === 'shorter' ? retry.least : retry.most
      if (at !== limit) {
        retry.at = at
        retries.push(retry)
      }
      return { pc, at }
    }
    return undefined
  }

  /** A repeated single character: taken at once, given back one by one. */
  private runOf(
    { test, min, max, mode }: Extract<Instruction, { op: 'run' }>,
    pc: number,
    at: number,
    retries: Retry[],
  ): number {
    let end = at
    const most = Math.min(this.text.length, at + max)
    for (let code = this.text[end]; end < most && code !== undefined && test(code); code = this.text[end]) end++
    this.steps += (end - at) >> 2
    const least = at + min
    if (end < least) return -1
    if (mode === 'lazy') {
      if (end > least) retries.push({ kind: 'longer', pc: pc + 1, at: least, most: end })
      return least
    }
    if (mode === 'greedy' && end > least) retries.push({ kind: 'shorter', pc: pc + 1, at: end, least })
    return end
  }

  private holds(what: string, at: number, ascii: boolean): boolean {
    const { text } = this
    switch (what) {
      case 'start':
        return at === 0
      case 'lineStart':
        return at === 0 || text[at - 1] === 10
      case 'textEnd':
        return at === text.length
      case 'end':
        return at === text.length || (at === text.length - 1 && text[at] === 10)
      case 'lineEnd':
        return at === text.length || text[at] === 10
      default: {
        const before = text[at - 1]
        const after = text[at]
        const isBoundary =
          (before !== undefined && isWord(before, ascii)) !== (after !== undefined && isWord(after, ascii))
        return text.length > 0 && isBoundary === (what === 'boundary')
      }
    }
  }

  private reference(group: number, ignoreCase: boolean, at: number): number {
    const start = this.slots[group * 2] ?? -1
    const end = this.slots[group * 2 + 1] ?? -1
    if (start < 0 || end < 0) return -1
    for (let index = start; index < end; index++) {
      const wanted = this.text[index] ?? -1
      const found = this.text[at + index - start]
      if (found === undefined) return -1
      if (wanted !== found && (!ignoreCase || fold(wanted) !== fold(found))) return -1
    }
    this.steps += end - start
    return at + end - start
  }

  private look(instruction: Extract<Instruction, { op: 'look' }>, at: number, retries: Retry[]): number {
    const from = at - instruction.width
    const behind = instruction.width > 0
    if (from < 0) return instruction.negative ? at : -1
    if (instruction.negative) {
      const kept = this.slots.slice()
      const end = this.run(instruction.program, from, (last) => !behind || last === at)
      this.slots = kept
      return end < 0 ? at : -1
    }
    return this.inner(instruction.program, from, (last) => !behind || last === at, retries) < 0 ? -1 : at
  }

  /** Runs a program of its own; when it is backtracked over, its slots are put back. */
  private inner(
    program: readonly Instruction[],
    from: number,
    accept: (end: number) => boolean,
    retries: Retry[],
  ): number {
    const before = this.slots.slice()
    const end = this.run(program, from, accept)
    if (end < 0) {
      this.slots = before
      return -1
    }
    before.forEach((value, slot) => {
      if (this.slots[slot] !== value) retries.push({ kind: 'slot', slot, value })
    })
    return end
  }
}
