// Salt's `ini` states: options and sections of .ini files.
import {
  type Dict,
  entries,
  get,
  has,
  isMap,
  type Mapping,
  pythonStr,
  size,
  type Value,
} from '../../core/value/index.ts'
import type { Arguments } from '../modules/arguments.ts'
import { SaltInvocationError } from '../modules/errors.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

/** One run of a state on its file. */
class Edit {
  readonly #args: Arguments
  readonly #call: StateCall
  readonly changes: Mapping = {}
  /** What test mode would do, a line for each thing. */
  readonly foreseen: string[] = []
  isForeseen = false

  constructor(args: Arguments, call: StateCall) {
    this.#args = args
    this.#call = call
  }

  get isTest(): boolean {
    return this.#call.test
  }

  /** Asks or lets a function of the module do what it does to the file. */
  ini(fun: string, more: Mapping = {}): Promise<Value> {
    const given = this.#args.given(['separator', 'encoding'])
    return this.#call.salt(`ini.${fun}`, [], { file_name: this.#args.value('name'), ...given, ...more })
  }

  async whole(): Promise<Mapping | Dict> {
    return mapIn(await this.ini('get_ini'))
  }

  set(sections: Mapping): Promise<Value> {
    return this.ini('set_option', { sections, ...this.#args.given(['no_spaces']) })
  }

  /** Says what test mode finds. @param isChange it would change something */
  foresee(line: string, isChange: boolean): void {
    this.foreseen.push(line)
    if (isChange) this.isForeseen = true
  }

  /** @param untouched what is said where test mode found nothing to look at */
  done(untouched: string): StateReturn {
    const name = this.#args.value('name')
    if (this.isTest) {
      const comment = this.foreseen.map((line) => `${line}\n`).join('')
      return { name, result: this.isForeseen ? null : true, changes: {}, comment: comment === '' ? untouched : comment }
    }
    const comment = size(this.changes) === 0 ? 'No anomaly detected' : 'Changes take effect'
    return { name, result: true, changes: this.changes, comment }
  }
}

const mapIn = (value: Value | undefined): Mapping | Dict => (isMap(value) ? value : {})

/** The names of a list or a map. */
function namesOf(value: Value): string[] {
  if (value === null) return []
  if (Array.isArray(value)) return value.map(pythonStr)
  if (isMap(value)) return entries(value).map(([key]) => pythonStr(key))
  throw new SaltInvocationError(`sections: a list or a map of sections is needed, not ${pythonStr(value)}`)
}

const inSection = (section: string): string => (section === '' ? '' : ` in section ${section}`)

async function optionsPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const edit = new Edit(args, call)
  const sections = args.is('sections') ? args.map('sections') : {}
  if (size(sections) === 0) {
    if (!edit.isTest) await edit.set({})
    return edit.done('')
  }
  const before = await edit.whole()
  const outside = Object.fromEntries(Object.entries(sections).filter(([, body]) => !isMap(body)))
  const bodies = Object.entries(sections).flatMap(([name, body]) => (isMap(body) ? [[name, body] as const] : []))
  if (edit.isTest) foreseeOptions(edit, '', outside, before)
  else Object.assign(edit.changes, await edit.set(outside))
  if (args.is('strict')) await removeOthers(edit, sections, before)
  for (const [section, body] of bodies) await setSection(edit, section, body, before, args.is('strict'))
  return edit.done('')
}

function foreseeOptions(edit: Edit, section: string, wanted: Mapping | Dict, before: Mapping | Dict): void {
  for (const [option, value] of entries(wanted)) {
    const now = get(before, pythonStr(option))
    const isSame = now !== undefined && !isMap(now) && pythonStr(now) === pythonStr(value)
    edit.foresee(`${isSame ? 'Unchanged' : 'Changed'} key ${pythonStr(option)}${inSection(section)}.`, !isSame)
  }
}

/** What stands outside of what a strict state names. */
async function removeOthers(edit: Edit, sections: Mapping, before: Mapping | Dict): Promise<void> {
  for (const [key, value] of entries(before)) {
    const name = pythonStr(key)
    const isSection = isMap(value)
    if (has(sections, name) && isMap(sections[name]) === isSection) continue
    if (edit.isTest) edit.foresee(`Removed ${isSection ? 'section' : 'key'} ${name}.`, true)
    else {
      if (isSection) await edit.ini('remove_section', { section: name })
      else await edit.ini('remove_option', { section: null, option: name })
      edit.changes[name] = { before: value, after: null }
    }
  }
}

async function setSection(
  edit: Edit,
  section: string,
  body: Mapping | Dict,
  file: Mapping | Dict,
  strict: boolean,
): Promise<void> {
  const before = mapIn(get(file, section))
  const changes: Mapping = {}
  for (const [key, value] of strict ? entries(before) : []) {
    const option = pythonStr(key)
    if (has(body, option)) continue
    if (edit.isTest) edit.foresee(`Deleted key ${option}${inSection(section)}.`, true)
    else {
      await edit.ini('remove_option', { section, option })
      changes[option] = { before: value, after: null }
    }
  }
  if (edit.isTest) return foreseeOptions(edit, section, body, before)
  const told = mapIn(await edit.set({ [section]: body }))
  for (const [key, value] of entries(mapIn(get(told, section)))) changes[pythonStr(key)] = value
  if (size(changes) > 0) edit.changes[section] = changes
}

async function optionsAbsent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const edit = new Edit(args, call)
  const sections = args.is('sections') ? args.map('sections') : {}
  for (const [section, options] of Object.entries(sections)) {
    if (edit.isTest) await foreseeAbsent(edit, section, options)
    else await removeOptions(edit, section, options)
  }
  return edit.done('No changes detected.')
}

async function foreseeAbsent(edit: Edit, section: string, options: Value): Promise<void> {
  if (!Array.isArray(options)) {
    const isThere = isSet(await edit.ini('get_option', { section: null, option: section }))
    return edit.foresee(isThere ? `Deleted key ${section}.` : `Key ${section} does not exist.`, isThere)
  }
  const now = mapIn(get(await edit.whole(), section))
  for (const option of options.map(pythonStr)) {
    const isThere = isSet(get(now, option) ?? null)
    const line = isThere
      ? `Deleted key ${option}${inSection(section)}.`
      : `Key ${option}${inSection(section)} does not exist.`
    edit.foresee(line, isThere)
  }
}

/** An option without a value counts as none, as in Salt. */
const isSet = (value: Value): boolean => value !== null && value !== ''

async function removeOptions(edit: Edit, section: string, options: Value): Promise<void> {
  // What is neither a list nor a map names no options: the name is an option's, outside the sections.
  if (!Array.isArray(options) && !isMap(options)) {
    const gone = await edit.ini('remove_option', { section: null, option: section })
    if (isSet(gone)) edit.changes[section] = gone
    return
  }
  for (const option of namesOf(options)) {
    const gone = await edit.ini('remove_option', { section, option })
    if (!isSet(gone)) continue
    edit.changes[section] = isMap(options) ? gone : { ...mapIn(edit.changes[section]), [option]: gone }
  }
}

async function sectionsPresent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const edit = new Edit(args, call)
  const wanted = namesOf(args.value('sections'))
  if (!edit.isTest) {
    // Salt 3007.15 fails here in every case: it gives the function an argument of another name.
    Object.assign(edit.changes, await edit.set(Object.fromEntries(wanted.map((section) => [section, {}]))))
    return edit.done('')
  }
  const now = await edit.whole()
  for (const section of wanted) {
    const isThere = has(now, section)
    edit.foresee(isThere ? `Section unchanged ${section}.` : `Created new section ${section}.`, !isThere)
  }
  return edit.done('No changes detected.')
}

async function sectionsAbsent(args: Arguments, call: StateCall): Promise<StateReturn> {
  const edit = new Edit(args, call)
  const now = edit.isTest ? await edit.whole() : {}
  for (const section of namesOf(args.value('sections'))) {
    if (edit.isTest) {
      const isThere = has(now, section)
      edit.foresee(isThere ? `Deleted section ${section}.` : `Section ${section} does not exist.`, isThere)
      continue
    }
    const gone = mapIn(await edit.ini('remove_section', { section }))
    if (size(gone) > 0) edit.changes[section] = gone
  }
  return edit.done('No changes detected.')
}

const words = `

name
    The path of the file.
separator
    What stands between an option and its value.
encoding
    What the file is written in, by Python's name for it. UTF-8 where it is None.`

/** Salt's `ini` states. */
export const ini: StateModule = {
  name: 'ini',
  functions: {
    options_present: defineState(
      "name, sections=None, separator='=', strict=False, encoding=None, no_spaces=False",
      `Options of a file have these values. The file is written anew: comments and lines without a meaning stay where they
are. A new option goes where a comment shows it (\`\`#name = …\`\`), at the end of its section otherwise.${words}
sections
    A map of the sections, each a map of options; what is no map is an option outside the sections.
strict
    Remove all other options and sections.
no_spaces
    No spaces around the separators, in the whole file.${slsExample(`
/etc/app/api-paste.ini:
  ini.options_present:
    - sections:
        test:
          testkey: testval
          secondoption: secondvalue`)}`,
      optionsPresent,
    ),
    options_absent: defineState(
      "name, sections=None, separator='=', encoding=None",
      `Options are not in a file.${words}
sections
    A map of the sections, each with the list of its options. A name without a list is an option outside the sections.${slsExample(`
/etc/app/api-paste.ini:
  ini.options_absent:
    - sections:
        test:
          - testkey
          - secondoption`)}`,
      optionsAbsent,
    ),
    sections_present: defineState(
      "name, sections=None, separator='=', encoding=None",
      `Sections are in a file, without options where they are new.${words}
sections
    A list of the sections.${slsExample(`
/etc/app/api-paste.ini:
  ini.sections_present:
    - sections:
        - section_one
        - section_two`)}`,
      sectionsPresent,
    ),
    sections_absent: defineState(
      "name, sections=None, separator='=', encoding=None",
      `Sections are not in a file, nor their options.${words}
sections
    A list of the sections.${slsExample(`
/etc/app/api-paste.ini:
  ini.sections_absent:
    - sections:
        - test
        - test1`)}`,
      sectionsAbsent,
    ),
  },
}
