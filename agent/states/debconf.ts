// Salt's `debconf` states: answers to the questions that Debian's packages ask when they are installed.
import { isMapping, type Mapping, pythonStr, pythonTruth, type Value } from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { fine, would, wrong } from './outcome.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

interface Answer {
  readonly type: string
  readonly value: string
}

/** debconf's booleans are written small. */
function answerOf(question: string, given: Value): Answer {
  if (!isMapping(given) || given.type === undefined || given.value === undefined)
    throw new SaltInvocationError(`data: ${question} needs a map with type and value`)
  const type = pythonStr(given.type)
  return { type, value: type === 'boolean' ? String(pythonTruth(given.value)) : pythonStr(given.value) }
}

const SECRET = '(password hidden)'

async function set(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const told = await call.salt('debconf.show', [name])
  const now = new Set(Array.isArray(told) ? told.map((one) => JSON.stringify(one)) : [])
  const changes: Mapping = {}
  const same: string[] = []
  let isRefused = false
  for (const [question, given] of Object.entries(args.map('data'))) {
    const { type, value } = answerOf(question, given)
    const shown = type === 'password' ? SECRET : value
    if (now.has(JSON.stringify([question, type, value]))) same.push(question)
    else if (call.test) changes[question] = `New value: ${shown}`
    else if ((await call.salt('debconf.set', [name, question, type, value])) === true) changes[question] = shown
    else {
      isRefused = true
      changes[question] = 'Failed to set!'
    }
  }
  if (Object.keys(changes).length === 0) return fine(name, 'All specified answers are already set')
  if (isRefused) return wrong(name, 'Some settings failed to be applied.', changes)
  const comment = same.length === 0 ? '' : `Unchanged answers: ${same.join(' ')} `
  return call.test ? would(name, comment, changes) : fine(name, comment, changes)
}

async function setFile(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const [context, defaults] = [args.value('context') ?? {}, args.value('defaults') ?? {}]
  if (!isMapping(context)) return wrong(name, 'Context must be formed as a dict')
  if (!isMapping(defaults)) return wrong(name, 'Defaults must be formed as a dict')
  if (call.test) return would(name, 'Debconf selections would have been set.')
  const saltenv = args.cleanKeywords.saltenv ?? call.env
  const done = args.is('template')
    ? await call.salt('debconf.set_template', [args.value('source'), args.value('template'), context, defaults], {
        saltenv,
      })
    : await call.salt('debconf.set_file', [args.value('source')], { saltenv })
  return done === true
    ? fine(name, 'Debconf selections were set.')
    : wrong(name, 'Unable to set debconf selections from file.')
}

/** Salt's `debconf` states. */
export const debconf: StateModule = {
  name: 'debconf',
  functions: {
    set: defineState(
      'name, data, **kwargs',
      `A package's questions have these answers. It needs the package debconf-utils.

name
    The package.
data
    A map of the questions, each a map with the \`\`type\`\` (string, boolean, select, password) and the \`\`value\`\`. A
    password's value is shown nowhere.${slsExample(`
nullmailer-debconf:
  debconf.set:
    - name: nullmailer
    - data:
        shared/mailname: {type: string, value: server.domain.tld}
        nullmailer/relayhost: {type: string, value: mail.domain.tld}`)}`,
      set,
    ),
    set_file: defineState(
      'name, source, template=None, context=None, defaults=None, **kwargs',
      `Give debconf the answers in a file, at every run.

source
    Where the file is.
template
    The language of the file, where it is a template: \`\`jinja\`\`.
context
    A map of the template's variables.
defaults
    Variables for those that context does not have.${slsExample(`
answers:
  debconf.set_file:
    - source: salt://pathto/pkg.selections`)}`,
      setFile,
    ),
  },
}
