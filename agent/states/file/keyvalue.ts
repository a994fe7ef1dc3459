// `file.keyvalue`: keys of a file of `key=value` lines have these values.
import { readFile } from 'node:fs/promises'
import { entries, isMap, type Mapping, pythonStr, type Value } from '../../../core/value/index.ts'
import { withoutLeading } from '../../filesystem/edit-comment.ts'
import { isErrno } from '../../filesystem/os-error.ts'
import { realPath } from '../../filesystem/paths.ts'
import { decode, fileLines } from '../../filesystem/text.ts'
import { writeWhole } from '../../filesystem/write.ts'
import type { Arguments } from '../../modules/arguments.ts'
import type { Managed } from '../../modules/file/manage.ts'
import { pythonTypeName } from '../../modules/python-type.ts'
import { defineState, type StateCall, slsExample } from '../state-module.ts'
import { begun, ended, failed, nameOf } from './outcome.ts'

/** How keys are looked for and put in. */
interface Rules {
  readonly values: ReadonlyMap<string, Value>
  readonly separator: string
  readonly count: number
  readonly uncomment: string | undefined
  readonly anyKeyCase: boolean
  readonly anyValueCase: boolean
  readonly append: boolean
  readonly prepend: boolean
}

/** The lines then, the difference as Salt tells it, and how many lines changed. */
interface Changed {
  readonly lines: string[]
  readonly diff: string[]
  readonly changes: number
}

/** Sets the values in lines; pure. */
function withValues(lines: readonly string[], rules: Rules): Changed {
  const left = new Map([...rules.values.keys()].map((key) => [key, rules.count]))
  const diff: string[] = []
  const result: string[] = []
  let changes = 0
  for (const original of lines) {
    let line = original
    for (const [key, value] of rules.values) {
      const made = lineFor(line, key, value, left.get(key) ?? 0, rules)
      if (made === undefined) continue
      if (made.changed) {
        diff.push(`- ${line}`)
        line = made.line
        if (line !== '') diff.push(added(line, value))
        changes++
      }
      if ((left.get(key) ?? 0) > 0) left.set(key, (left.get(key) ?? 0) - 1)
    }
    result.push(line)
  }
  const missing = [...rules.values].filter(([key]) => (left.get(key) ?? 0) > 0)
  const fresh = missing.map(([key, value]) => `${key}${rules.separator}${pythonStr(value)}\n`)
  if (fresh.length === 0 || (!rules.append && !rules.prepend)) return { lines: result, diff, changes }
  changes += fresh.length
  const told = fresh.map((line) => `+ ${line}`)
  if (rules.append) {
    return { lines: [...result, ...fresh], diff: [...diff, '- <EOF>\n', ...told, '+ <EOF>\n'], changes }
  }
  return { lines: [...fresh.toReversed(), ...result], diff: ['  <SOF>\n', ...told.toReversed(), ...diff], changes }
}

const added = (line: string, value: Value): string =>
  typeof value === 'string' ? `+ ${line}` : `+ ${line.trimEnd()} (from ${pythonTypeName(value)} type)\n`

/** What becomes of a line that has the key; undefined for any other line. An empty line goes. */
function lineFor(
  line: string,
  key: string,
  value: Value,
  left: number,
  rules: Rules,
): { readonly changed: boolean; readonly line: string } | undefined {
  const bare = rules.uncomment === undefined ? line.trimStart() : withoutLeading(line, rules.uncomment)
  const uncommented = line.length > bare.length
  const fold = (text: string, any: boolean): string => (any ? text.toLowerCase() : text)
  if (!fold(bare, rules.anyKeyCase).startsWith(fold(key, rules.anyKeyCase))) return undefined
  const working = uncommented ? bare : line
  const at = working.indexOf(rules.separator)
  if (at < 0) return undefined
  const lineKey = working.slice(0, at)
  if (fold(lineKey, rules.anyKeyCase) !== fold(key, rules.anyKeyCase)) return undefined
  const lineValue = working.slice(at + rules.separator.length).trim()
  const same = fold(lineValue, rules.anyValueCase) === fold(pythonStr(value).trim(), rules.anyValueCase)
  const matches = uncommented && left <= 0 ? true : same
  const needs = uncommented ? left > 0 : left === 0
  if (matches && !needs) return { changed: false, line }
  return { changed: true, line: left === 0 ? '' : `${lineKey}${rules.separator}${pythonStr(value)}\n` }
}

function valuesOf(args: Arguments): ReadonlyMap<string, Value> | string {
  const [key, value, all] = [args.value('key'), args.value('value'), args.value('key_values')]
  if (key !== null && value !== null) {
    if (all !== null && isMap(all)) return 'file.keyvalue can not combine key_values with key and value'
    return new Map([[pythonStr(key), value]])
  }
  if (all !== null && isMap(all) && entries(all).length > 0) {
    return new Map(entries(all as Mapping).map(([name, item]) => [pythonStr(name), item]))
  }
  const why = args.is('key_values') ? 'is not a dictionary' : 'is empty'
  return `file.keyvalue key and value not supplied and key_values ${why}`
}

async function keyvalue(args: Arguments, call: StateCall): Promise<Managed> {
  const name = await nameOf(args)
  const ret = begun(name, null)
  if (name === '') return failed(ret, 'Must provide name to file.keyvalue')
  const values = valuesOf(args)
  if (typeof values === 'string') return failed(ret, values)
  let text = ''
  let isNew = false
  try {
    text = decode(await readFile(name))
  } catch (error) {
    isNew = isErrno(error, 'ENOENT') && args.is('create_if_missing')
    if (!isNew) return ended(ret, args.is('ignore_if_missing'), `unable to open ${name}`)
  }
  const uncomment = args.value('uncomment')
  const { lines, diff, changes } = withValues(fileLines(text), {
    values,
    separator: args.text('separator'),
    count: args.integer('count'),
    uncomment: uncomment === null ? undefined : pythonStr(uncomment),
    anyKeyCase: args.is('key_ignore_case'),
    anyValueCase: args.is('value_ignore_case'),
    append: isNew || args.is('append_if_not_found'),
    prepend: args.is('prepend_if_not_found'),
  })
  if (changes === 0) return ended(ret, true, '')
  const shown = args.is('show_changes')
  const told: Mapping = shown ? { diff: diff.join('') } : {}
  if (call.test) {
    const comment = `File ${name} is set to be changed (${changes} lines)`
    const predicted = shown ? `\nPredicted diff:\n\r\t\t${diff.join('\r\t\t')}` : ''
    return ended(ret, null, comment + predicted, told)
  }
  try {
    await writeWhole(await realPath(name), lines.join(''))
  } catch {
    return ended(ret, false, `${name} not writable`, told)
  }
  return ended(ret, true, `Changed ${changes} lines`, told)
}

/** `file.keyvalue`. */
export const keyvalueState = defineState(
  "name, key=None, value=None, key_values=None, separator='=', append_if_not_found=False, prepend_if_not_found=False, search_only=False, show_changes=True, ignore_if_missing=False, count=1, uncomment=None, key_ignore_case=False, value_ignore_case=False, create_if_missing=False",
  `Keys of a file of \`\`key=value\`\` lines have these values.

key, value, key_values
    One, or a map of them.
separator
    What stands between.
append_if_not_found, prepend_if_not_found
    Put a key that is missing at an end.
uncomment
    Characters that a commented line begins with.
count
    At most so many lines with a key; -1 for all.
key_ignore_case, value_ignore_case, ignore_if_missing, create_if_missing
    Heed no case; fine where there is no file; make one.${slsExample(`
/etc/ssh/sshd_config:
  file.keyvalue:
    - key_values:
        permitrootlogin: 'without-password'
        LoginGraceTime: '30'
    - separator: ' '
    - uncomment: '# '
    - key_ignore_case: True
    - append_if_not_found: True`)}`,
  keyvalue,
)
