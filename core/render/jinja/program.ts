// A compiled template: its root and its blocks, ready to run any number of times.
import { Activation, type Execute } from './activation.ts'
import type { Context } from './context.ts'
import type { Run } from './run.ts'
import type { Template } from './template.ts'

/** A compiled block. */
export interface BlockCode {
  readonly name: string
  readonly template: Template
  readonly size: number
  readonly execute: Execute
}

/** A template compiled for one mode. */
export interface Program {
  readonly template: Template
  readonly size: number
  readonly execute: Execute
  readonly blocks: ReadonlyMap<string, BlockCode>
}

/** Runs a template's root in a context, then what it extends. Prints to the run. */
export function runProgram(program: Program, context: Context, run: Run): void {
  const outerTemplate = run.template
  const outerLine = run.line
  run.enter()
  run.template = program.template
  run.line = 1
  const activation = new Activation(program.size, undefined, context, run)
  try {
    program.execute(activation)
    if (activation.parentProgram !== undefined) runProgram(activation.parentProgram, context, run)
  } catch (error) {
    run.locate(error, true)
    throw error
  }
  run.template = outerTemplate
  run.line = outerLine
  run.depth--
}

/** Runs a block; an error in it is reported by Salt at the tag that called it. */
export function runBlock(block: BlockCode, context: Context, run: Run): void {
  const outerTemplate = run.template
  const outerLine = run.line
  run.enter()
  run.template = block.template
  try {
    block.execute(new Activation(block.size, undefined, context, run))
  } catch (error) {
    run.locate(error, false)
    run.line = outerLine
    run.template = outerTemplate
    throw error
  }
  run.template = outerTemplate
  run.line = outerLine
  run.depth--
}
