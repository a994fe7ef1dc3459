// Locales: which there are, which one the system has, and making more of them.
import { mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pythonStr, type Value } from '../../core/value/index.ts'
import { exists } from '../filesystem/paths.ts'
import { readTextIfThere } from '../filesystem/read.ts'
import { writeWhole } from '../filesystem/write.ts'
import type { Arguments } from './arguments.ts'
import { which } from './cmd-run.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { outputOf, runProgram, succeeds } from './program.ts'

/** The parts of `ca_ES.UTF-8@valencia UTF-8`. */
interface Parts {
  readonly language: string
  readonly territory: string
  readonly codeset: string
  readonly modifier: string
  readonly charmap: string
}

function partsOf(locale: string): Parts {
  const cut = (text: string, mark: string): [string, string] => {
    const at = text.indexOf(mark)
    return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  }
  const [before, charmap] = cut(locale, ' ')
  const [named, modifier] = cut(before, '@')
  const [place, codeset] = cut(named, '.')
  const [language, territory] = cut(place, '_')
  return { language, territory, codeset, modifier, charmap }
}

function joined({ language, territory, codeset, modifier, charmap }: Parts): string {
  const with_ = (mark: string, part: string): string => (part === '' ? '' : `${mark}${part}`)
  return `${language}${with_('_', territory)}${with_('.', codeset)}${with_('@', modifier)}${with_(' ', charmap)}`
}

/** As locales are compared: the character set in small letters and without hyphens, the charmap left out. */
function normal(locale: string): string {
  const parts = partsOf(locale)
  return joined({
    ...parts,
    territory: parts.territory.toUpperCase(),
    codeset: parts.codeset.toLowerCase().replaceAll('-', ''),
    charmap: '',
  })
}

const osOf = ({ agent }: Call, grain: 'os' | 'os_family'): string => pythonStr(agent.grains.all()[grain] ?? '')

/** The variables that localectl tells as the system's locale. Throws CommandExecutionError where it tells nothing. */
async function localectl(call: Call): Promise<Record<string, string>> {
  if ((await which('localectl')) === undefined) throw new CommandExecutionError('Unable to find "localectl"')
  const { stdout, stderr } = await runProgram(call, ['localectl', 'status'])
  if (stderr.includes('Failed to connect to bus: No such file or directory'))
    throw new CommandExecutionError('Command "localectl" is in a degraded state.')
  const found: Record<string, string> = {}
  let key = ''
  let hasAny = false
  for (const line of stdout.split('\n')) {
    const [, named, rest = ''] = /^\s*([^:]+): (.*)$/.exec(line) ?? []
    if (named !== undefined) key = named.trim().toLowerCase()
    const data = (named === undefined ? line : rest).trim()
    if (data === '' || key === '') continue
    hasAny = true
    const pair = data.split('=')
    if (key === 'system locale' && pair.length === 2) found[pair[0] ?? ''] = pair[1] ?? ''
  }
  if (!hasAny) throw new CommandExecutionError('Unable to parse result of "localectl"')
  return found
}

/** Sets a line of a file, at its end where it has none that matches. A file that is not there is made where `makes` says so. */
async function setLine(call: Call, path: string, pattern: string, line: string, makes = true): Promise<void> {
  if (makes && !(await exists(path))) {
    await mkdir(dirname(path), { recursive: true })
    await writeWhole(path, '')
  }
  await call.salt('file.replace', [path, pattern, line], { append_if_not_found: true, backup: false })
}

/** Where each family keeps the locale, and under which name. */
const kept: Readonly<Record<string, { readonly file: string; readonly name: string }>> = {
  Suse: { file: '/etc/sysconfig/language', name: 'RC_LANG' },
  RedHat: { file: '/etc/sysconfig/i18n', name: 'LANG' },
  Debian: { file: '/etc/default/locale', name: 'LANG' },
}

const keptBy = (family: string) => Object.entries(kept).find(([name]) => family.includes(name))?.[1]

async function current(call: Call, root: string): Promise<string> {
  if (await exists(`${root}/run/systemd/system`)) return (await localectl(call)).LANG ?? ''
  const place = keptBy(osOf(call, 'os_family'))
  if (place === undefined)
    throw new CommandExecutionError(`Error: "${pythonStr(call.agent.grains.all().oscodename ?? '')}" is unsupported!`)
  const text = (await readTextIfThere(`${root}${place.file}`)) ?? ''
  const line = text.split('\n').find((each) => each.startsWith(place.name))
  return line?.split('=')[1]?.replaceAll('"', '') ?? ''
}

async function set(call: Call, locale: string, root: string): Promise<boolean> {
  if (await exists(`${root}/run/systemd/system`)) {
    const variables = { ...(await localectl(call)), LANG: locale }
    const words = Object.entries(variables).map(([key, value]) => `${key}=${value}`)
    if (!(await succeeds(call, ['localectl', 'set-locale', ...words])))
      await setLine(call, `${root}/etc/locale.conf`, '^LANG=.*', `LANG=${locale}`)
    return true
  }
  const family = osOf(call, 'os_family')
  const place = keptBy(family)
  if (place === undefined) throw new CommandExecutionError('Error: Unsupported platform!')
  if (family.includes('Debian')) {
    const program = await which('update-locale')
    if (program === undefined) throw new CommandExecutionError('Cannot set locale: "update-locale" was not found.')
    await runProgram(call, [program])
  }
  await setLine(
    call,
    `${root}${place.file}`,
    `^${place.name}=.*`,
    `${place.name}="${locale}"`,
    !family.includes('Debian'),
  )
  return true
}

const available = async (call: Call): Promise<string[]> => (await outputOf(call, ['locale', '-a'])).split('\n')

async function generate(args: Arguments, call: Call, root: string): Promise<Value> {
  const os = osOf(call, 'os')
  const family = osOf(call, 'os_family')
  const [isUbuntu, isSuse] = [os === 'Ubuntu', family === 'Suse']
  let parts = partsOf(args.text('locale'))
  let locale = args.text('locale')
  if (parts.charmap === '' && !isUbuntu) {
    parts = { ...parts, charmap: parts.codeset }
    locale = joined(parts)
  }
  const place = `${parts.language}_${parts.territory}`
  const search = `${root}${os === 'Debian' || family === 'Gentoo' ? '/usr/share/i18n/SUPPORTED' : isSuse ? '/usr/share/locale' : '/usr/share/i18n/locales'}`
  if (!(await isKnown(search, os === 'Debian' || family === 'Gentoo' ? locale : undefined, place, locale))) {
    call.agent.outside.log.error(`The provided locale "${locale}" is not found in ${search}`)
    return false
  }
  const list = `${root}/etc/locale.gen`
  if (await exists(list)) await setLine(call, list, `^\\s*#\\s*${locale}\\s*$`, `${locale}\n`)
  else if (isUbuntu) await setLine(call, `${root}/var/lib/locales/supported.d/${parts.language}`, locale, locale)
  const words = await generator(parts, place, {
    locale: isUbuntu ? normal(locale) : locale,
    isGentoo: family === 'Gentoo',
    verbose: args.keywords.verbose === true,
  })
  const done = await runProgram(call, words)
  if (done.retcode !== 0) call.agent.outside.log.error(done.stderr)
  return args.keywords.verbose === true ? { ...done } : done.retcode === 0
}

/** Whether the system can make it: a line of a file of names, or a file of the place's name in a directory. */
async function isKnown(search: string, line: string | undefined, place: string, locale: string): Promise<boolean> {
  if (line !== undefined) return ((await readTextIfThere(search)) ?? '').split('\n').includes(line)
  try {
    return (await readdir(search)).includes(place)
  } catch (error) {
    throw new CommandExecutionError(`Locale "${locale}" is not available.`, error)
  }
}

async function generator(
  { codeset }: Parts,
  place: string,
  wish: { readonly locale: string; readonly isGentoo: boolean; readonly verbose: boolean },
): Promise<string[]> {
  if ((await which('locale-gen')) !== undefined)
    return ['locale-gen', ...(wish.isGentoo ? ['--generate'] : []), wish.locale]
  if ((await which('localedef')) === undefined)
    throw new CommandExecutionError('Command "locale-gen" or "localedef" was not found on this system.')
  const name = `${place}.${codeset}`
  return ['localedef', '--force', '-i', place, '-f', codeset, name, wish.verbose ? '--verbose' : '--quiet']
}

const asking = { readOnly: true }

/** Salt's `locale` module, on the system whose files are below `root`. */
export function localeAt(root: string): ExecutionModule {
  return {
    name: 'locale',
    file: 'localemod',
    functions: {
      list_avail: define(
        '',
        `List the locales there are.${examples("brine '*' locale.list_avail")}`,
        (_, call) => available(call),
        asking,
      ),
      get_locale: define(
        '',
        `Return the system's locale.${examples("brine '*' locale.get_locale")}`,
        (_, call) => current(call, root),
        asking,
      ),
      set_locale: define(
        'locale',
        `Set the system's locale.${examples("brine '*' locale.set_locale 'en_US.UTF-8'")}`,
        (args, call) => set(call, args.text('locale'), root),
      ),
      avail: define(
        'locale',
        `Return whether there is such a locale.${examples("brine '*' locale.avail 'en_US.UTF-8'")}`,
        async (args, call) => {
          const wanted = normal(args.text('locale'))
          return (await available(call)).some((one) => normal(one.trim()) === wanted)
        },
        asking,
      ),
      gen_locale: define(
        'locale, **kwargs',
        `Make a locale. Returns whether that went well.

verbose
    True returns everything of the program that makes it.${examples("brine '*' locale.gen_locale en_US.UTF-8", "brine '*' locale.gen_locale 'en_IE.UTF-8 UTF-8'")}`,
        (args, call) => generate(args, call, root),
      ),
    },
  }
}

/** Salt's `locale` module. */
export const locale = localeAt('')
