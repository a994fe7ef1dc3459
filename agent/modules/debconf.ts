// Answers to the questions that Debian's packages ask when they are installed, as debconf keeps them.
import { readFile } from 'node:fs/promises'
import { isMapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { requirePrograms, runProgram } from './program.ts'

/** Package, question, type and answer of a line of debconf-get-selections; comments are none. */
const answer = /^([^#\s]\S+)[\t ]+(\S+)[\t ]+(\S+)[\t ]+(.*)$/gm

async function selections(call: Call, withEmpty: boolean): Promise<{ [name: string]: Value[] }> {
  await requirePrograms('debconf-get-selections')
  const { stdout, stderr, retcode } = await runProgram(call, ['debconf-get-selections'], { raw: true })
  if (retcode !== 0) throw new CommandExecutionError(stderr || 'debconf-get-selections failed')
  const found: { [name: string]: Value[] } = {}
  for (const [, name = '', question = '', type = '', value = ''] of stdout.matchAll(answer)) {
    if (!withEmpty && value === '') continue
    found[name] = [...(found[name] ?? []), [question, type, value]]
  }
  return found
}

/** Gives debconf lines of answers, over a pipe: passwords among them are in no file and in no list of processes. */
async function select(call: Call, lines: string): Promise<boolean> {
  await requirePrograms('debconf-set-selections')
  const { retcode, stderr } = await runProgram(call, ['debconf-set-selections'], { stdin: lines })
  if (retcode !== 0) call.agent.outside.log.error(`debconf-set-selections failed: ${stderr}`)
  return retcode === 0
}

async function textOf(args: Arguments, call: Call): Promise<string | undefined> {
  const path = await call.salt('cp.cache_file', [args.value('path'), args.value('saltenv')])
  return typeof path === 'string' && path !== '' ? readFile(path, 'utf8') : undefined
}

async function setFile(args: Arguments, call: Call): Promise<boolean> {
  const text = await textOf(args, call)
  return text !== undefined && select(call, text)
}

async function setTemplate(args: Arguments, call: Call): Promise<boolean> {
  const text = await textOf(args, call)
  if (text === undefined) return false
  const given = ['template', 'context', 'defaults', 'saltenv'].map((name) => args.value(name))
  const rendered = await call.salt('file.apply_template_on_contents', [text, ...given])
  if (isMapping(rendered)) throw new CommandExecutionError(pythonStr(rendered.comment ?? 'The template failed.'))
  return select(call, pythonStr(rendered))
}

const asking = { readOnly: true }

/** Salt's `debconf` module. Unlike there, a program that fails is told. */
export const debconf: ExecutionModule = {
  name: 'debconf',
  file: 'debconfmod',
  functions: {
    get_selections: define(
      'fetchempty=True',
      `Return the answers of all packages: for each a list of question, type and value. It needs the package debconf-utils.

fetchempty
    False leaves out questions without an answer.${examples("brine '*' debconf.get_selections")}`,
      (args, call) => selections(call, args.is('fetchempty')),
      asking,
    ),
    show: define(
      'name',
      `Return a package's answers, or None where debconf knows none. It needs the package debconf-utils.${examples("brine '*' debconf.show nullmailer")}`,
      async (args, call) => (await selections(call, true))[args.text('name')] ?? null,
      asking,
    ),
    set: define(
      'package, question, type, value, *extra',
      `Set the answer to a package's question. Returns whether debconf took it.${examples("brine '*' debconf.set nullmailer shared/mailname string mail.example.com")}`,
      (args, call) =>
        select(
          call,
          [
            ...['package', 'question', 'type', 'value'].map((name) => args.text(name)),
            ...args.positional.map(pythonStr),
          ].join(' '),
        ),
    ),
    set_template: define(
      "path, template, context, defaults, saltenv='base', **kwargs",
      `Set the answers that a template renders to. Returns whether debconf took them.

path
    Where the template is.
template
    Its language: \`\`jinja\`\`.
context
    A map of the template's variables.
defaults
    Variables for those that context does not have.${examples("brine '*' debconf.set_template salt://pathto/pkg.selections.jinja jinja None None")}`,
      setTemplate,
    ),
    set_file: define(
      "path, saltenv='base', **kwargs",
      `Set the answers in a file. Returns whether debconf took them; False where there is no such file.${examples("brine '*' debconf.set_file salt://pathto/pkg.selections")}`,
      setFile,
    ),
  },
}
