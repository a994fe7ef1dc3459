// Options and sections of .ini files.
import { messageOf } from '../../core/error.ts'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { decodeText, encodeText } from '../filesystem/encoding.ts'
import { IniSection, type IniValues, plain } from '../filesystem/ini.ts'
import { osErrorText } from '../filesystem/os-error.ts'
import { realPath } from '../filesystem/paths.ts'
import { readIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { CommandExecutionError, PythonError } from './errors.ts'
import { define, type ExecutionModule, examples } from './module.ts'

interface Opened {
  readonly ini: IniSection
  /** Writes it where its text is another one now. */
  save(): Promise<void>
}

async function opened(args: Arguments): Promise<Opened> {
  const [name, encoding] = [args.text('file_name'), args.textIfAny('encoding')]
  const style = { separator: args.text('separator'), noSpaces: args.is('no_spaces') }
  const before = await bytesOf(name)
  const ini = IniSection.parse(before === undefined ? '' : decodeText(before, encoding), style)
  return {
    ini,
    async save() {
      const bytes = encodeText(ini.text(), encoding)
      if (before?.equals(bytes) === true) return
      try {
        await writeWhole(await realPath(name), bytes)
      } catch (error) {
        throw new CommandExecutionError(`Unable to write file '${name}'. Exception: ${messageOf(error)}`, error)
      }
    },
  }
}

async function bytesOf(name: string): Promise<Buffer | undefined> {
  try {
    return await readIfThere(name)
  } catch (error) {
    throw new CommandExecutionError(`Unable to open file '${name}'. Exception: ${osErrorText(error, name)}`, error)
  }
}

function valuesOf(value: Value): IniValues {
  if (!isMap(value)) return new Map()
  return new Map(entries(value).map(([key, item]) => [pythonStr(key), isMap(item) ? valuesOf(item) : pythonStr(item)]))
}

async function setOption(args: Arguments): Promise<Value> {
  const { ini, save } = await opened(args)
  const changes = ini.update(valuesOf(args.is('sections') ? args.map('sections') : {}))
  await save()
  return changes
}

async function getOption(args: Arguments): Promise<Value> {
  const { ini } = await opened(args)
  const [section, option] = [args.textIfAny('section'), args.text('option')]
  const holder = section === undefined ? ini : ini.entries.get(section)
  const found = holder instanceof IniSection ? holder.entries.get(option) : undefined
  return found === undefined ? null : plain(found)
}

async function removeOption(args: Arguments): Promise<Value> {
  const { ini, save } = await opened(args)
  const [section, option] = [ini.entries.get(args.text('section')), args.text('option')]
  const holder = section instanceof IniSection ? section : ini
  const found = holder.entries.get(option)
  holder.entries.delete(option)
  await save()
  return found === undefined ? null : plain(found)
}

/** What is no section has no options, in Python's words. */
function optionsOf(section: string | IniSection): Value {
  if (typeof section === 'string') throw new PythonError('AttributeError', "'str' object has no attribute 'items'")
  return section.told()
}

async function getSection(args: Arguments): Promise<Value> {
  const { ini } = await opened(args)
  const section = ini.entries.get(args.text('section'))
  return section === undefined ? ({} satisfies Mapping) : optionsOf(section)
}

async function removeSection(args: Arguments): Promise<Value> {
  const { ini, save } = await opened(args)
  const name = args.text('section')
  const section = ini.entries.get(name)
  if (section === undefined) return null
  ini.entries.delete(name)
  await save()
  return optionsOf(section)
}

const words = `

file_name
    The path of the file. One that is not there has no options.
separator
    What stands between an option and its value.
encoding
    What the file is written in, by Python's name for it. UTF-8 where it is None.`

const asking = { readOnly: true }

/** Salt's `ini` module. */
export const ini: ExecutionModule = {
  name: 'ini',
  file: 'ini_manage',
  functions: {
    set_option: define(
      "file_name, sections=None, separator='=', encoding=None, no_spaces=False",
      `Set options of a file, which is written anew: comments and lines without a meaning stay where they are. Returns what
is another way then, with before and after. A new option goes where a comment shows it (\`\`#name = …\`\`), at the end of its
section otherwise.${words}
sections
    A map of the sections, each a map of options; what is no map is an option outside the sections.
no_spaces
    No spaces around the separators, in the whole file.${examples(`brine '*' ini.set_option /path/to/ini '{section_foo: {key: value}}'`)}`,
      setOption,
    ),
    get_option: define(
      "file_name, section, option, separator='=', encoding=None",
      `Return an option's value, or None.${words}
section
    Where the option is; empty for one outside the sections.${examples("brine '*' ini.get_option /path/to/ini section_name option_name")}`,
      getOption,
      asking,
    ),
    remove_option: define(
      "file_name, section, option, separator='=', encoding=None",
      `Remove an option. Returns its value, or None where it was not there.${words}
section
    Where the option is. Where the file has no such section, an option outside the sections is meant.${examples("brine '*' ini.remove_option /path/to/ini section_name option_name")}`,
      removeOption,
    ),
    get_section: define(
      "file_name, section, separator='=', encoding=None",
      `Return a section's options; an empty map where it is not there.${words}${examples("brine '*' ini.get_section /path/to/ini section_name")}`,
      getSection,
      asking,
    ),
    remove_section: define(
      "file_name, section, separator='=', encoding=None",
      `Remove a section with all its options. Returns them, or None where it was not there.${words}${examples("brine '*' ini.remove_section /path/to/ini section_name")}`,
      removeSection,
    ),
    get_ini: define(
      "file_name, separator='=', encoding=None",
      `Return all of a file: options outside the sections, and each section's.${words}${examples("brine '*' ini.get_ini /path/to/ini")}`,
      async (args) => (await opened(args)).ini.told(),
      asking,
    ),
  },
}
