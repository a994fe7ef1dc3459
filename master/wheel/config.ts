// The wheels `config` and `minions`: the master's configuration, and who is connected.
import { parseMasterSettings, problemText } from '../../core/config/index.ts'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import type { Presence } from '../presence.ts'
import { type MasterFunction, RunError } from '../run.ts'
import { withoutSecrets } from '../without-secrets.ts'
import { wheelDoc } from './wheel-doc.ts'
import { whyNotWritable } from './writable-keys.ts'

/** The files beside the master's configuration that programs write, `master.d/*.conf`. They hold from the next start on. */
export interface ConfigFiles {
  /** What is in a file; undefined where there is none. */
  read(name: string): Promise<string | undefined>
  /** Replaces it as a whole. */
  write(name: string, text: string): Promise<void>
}

/** What the wheels are made from. */
export interface ConfigNeeds {
  /** The master's configuration. */
  readonly opts: Mapping
  readonly presence: Presence
  /** Absent where the configuration is part of a deployment. */
  readonly configFiles: ConfigFiles | undefined
}

/** Where single keys go. */
const applied = 'applied.conf'

/** Functions of the wheels `config` and `minions`. */
export function configWheel({ opts, presence, configFiles }: ConfigNeeds): Record<string, MasterFunction> {
  const files = (): ConfigFiles => {
    if (configFiles !== undefined) return configFiles
    throw new RunError(
      "The configuration of this master is part of its stack: change the construct's settings and deploy, so that the next deployment keeps it.",
    )
  }
  return {
    'config.values': {
      signature: { params: [] },
      doc: wheelDoc('Return the configuration of the master; secrets are masked', 'config.values'),
      readOnly: true,
      idempotent: true,
      run: async () => withoutSecrets(opts),
    },
    'config.apply': {
      signature: { params: [{ name: 'key' }, { name: 'value' }] },
      doc: wheelDoc(
        `Set a single key in master.d/${applied}, from the next start on; comments elsewhere stay. Keys that give rights,
    and keys that lead to files or code, are refused`,
        'config.apply timeout 10',
      ),
      idempotent: true,
      async run({ named }) {
        const store = files()
        const key = pythonStr(named.key ?? '')
        const before = await contentsOf(store, applied)
        await store.write(applied, dumpYaml(checked({ ...before, [key]: named.value ?? null }, [key])))
        return null
      },
    },
    'config.update_config': {
      signature: { params: [{ name: 'file_name' }, { name: 'yaml_contents' }] },
      doc: wheelDoc(
        `Write settings into master.d/<file_name>.conf, in place of what it held, from the next start on. Keys that give
    rights, and keys that lead to files or code, are refused`,
        "config.update_config gui '{timeout: 10}'",
      ),
      idempotent: true,
      async run({ named }) {
        const store = files()
        const name = `${pythonStr(named.file_name ?? '')}.conf`
        if (!/^\w[\w.-]*$/.test(name)) return 'Invalid path'
        const { yaml_contents: contents = null } = named
        if (!isMapping(contents)) throw new RunError('yaml_contents is no map of keys and values.')
        await store.write(name, dumpYaml(checked(contents, Object.keys(contents))))
        return `Wrote ${name}`
      },
    },
    'minions.connected': {
      signature: { params: [] },
      doc: wheelDoc('List the minions that are connected to the master', 'minions.connected'),
      readOnly: true,
      idempotent: true,
      run: async () => [...(await presence.present())].sort(),
    },
  }
}

async function contentsOf(files: ConfigFiles, name: string): Promise<Mapping> {
  const text = await files.read(name)
  if (text === undefined) return {}
  const { loadYaml } = await import('../../core/render/yaml/index.ts')
  const value = loadYaml(text)
  return isMapping(value) ? value : {}
}

/** The settings, where each of these keys may be written and all of them can be read back. Throws what is wrong. */
function checked(settings: Mapping, keys: readonly string[]): Value {
  const refused = keys.flatMap((key) => whyNotWritable(key) ?? [])
  if (refused.length > 0) throw new RunError(refused.join('\n'))
  const { problems } = parseMasterSettings(settings, applied)
  const errors = problems.filter(({ severity }) => severity === 'error').map(problemText)
  if (errors.length > 0) throw new RunError(errors.join('\n'))
  return settings
}
