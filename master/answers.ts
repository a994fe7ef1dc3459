// Answers what a reactor's template asks while it renders: read-only questions only.

import { bindArguments } from '../core/arguments/index.ts'
import { BrineError } from '../core/error.ts'
import { isMapping, pythonStr, type Value } from '../core/value/index.ts'
import type { Question } from '../reaction/ports.ts'
import type { Mines } from './mine.ts'
import type { FileStore } from './ports.ts'
import type { FunctionTable } from './run.ts'

interface AnswersNeeds {
  readonly runners: () => FunctionTable
  readonly files: FileStore
  readonly newJid: () => string
  readonly mines: () => Mines
}

/** A reader of the master's own state, by the name templates know it under. */
type Reader = (question: Question) => Promise<Value>

/** {@link Answers} that need not know which event is asked for. */
export interface MasterAnswers {
  answer(question: Question): Promise<Value>
}

/** The {@link Answers} of a master. Rejects with `not-read-only`, `unknown-function` or `arguments`, which fails the file that asked. */
export function createAnswers(needs: AnswersNeeds): MasterAnswers {
  const runner: Reader = async ({ args, kwargs }) => {
    const [name = '', ...rest] = args
    const fun = pythonStr(kwargs.name ?? name)
    const known = needs.runners().get(fun)
    if (known === undefined) throw new BrineError(`'${fun}' is not available.`, { code: 'unknown-function' })
    if (known.readOnly !== true) {
      throw new BrineError(
        `The runner ${fun} changes things, and a template may only read. Call it in a reaction (runner.${fun}).`,
        { code: 'not-read-only' },
      )
    }
    const given = kwargs.arg ?? rest
    const { name: _, arg: __, kwarg, ...others } = kwargs
    const bound = bindArguments(
      known.signature,
      Array.isArray(given) ? given : [given],
      { ...others, ...(isMapping(kwarg) ? kwarg : {}) },
      fun.split('.').at(-1) ?? fun,
    )
    if (bound.kind === 'misfit')
      throw new BrineError(`Passed invalid arguments to ${fun}: ${bound.message}`, { code: 'arguments' })
    const unheard = { progress: () => undefined, print: () => undefined }
    return known.run(bound, { jid: needs.newJid(), fun, funArgs: [], user: 'Reactor', ...unheard })
  }

  const fileText: Reader = async ({ args, kwargs }) => {
    const reference = pythonStr(args[0] ?? kwargs.path ?? '').replace(/^salt:\/\//, '')
    const [path = '', query = ''] = reference.split('?')
    const saltenv = new URLSearchParams(query).get('saltenv') ?? pythonStr(kwargs.saltenv ?? 'base')
    const bytes = await needs.files.read(saltenv, path)
    return bytes === undefined ? false : new TextDecoder().decode(bytes)
  }

  const mineGet: Reader = async ({ args, kwargs }) => {
    const [tgt = kwargs.tgt ?? '', fun = kwargs.fun ?? '', type = kwargs.tgt_type ?? 'glob'] = args
    return needs.mines().get(undefined, tgt, fun, pythonStr(type))
  }

  const readers: Readonly<Record<string, Reader>> = {
    'saltutil.runner': runner,
    'mine.get': mineGet,
    'cp.get_file_str': fileText,
    'cp.get_template': fileText,
  }

  return {
    async answer(question) {
      const reader = readers[question.fun]
      if (reader === undefined) {
        throw new BrineError(
          `'${question.fun}' cannot be called from a reactor's template: only functions that read are, ${Object.keys(readers).join(', ')} among them.`,
          { code: 'not-read-only' },
        )
      }
      return reader(question)
    },
  }
}

/** The functions a template may ask the master, so that the renderer knows which questions are worth asking. */
export const answerable: ReadonlySet<string> = new Set([
  'saltutil.runner',
  'mine.get',
  'cp.get_file_str',
  'cp.get_template',
])
