// What `cloud.*` of a master on AWS works with: the files of its deployment, its store, its keys, EC2.
import { createHash } from 'node:crypto'
import { cloudFilesIn, isCloudFile } from '../../core/cloud/files.ts'
import { type CloudConfig, readCloudConfig } from '../../core/cloud/index.ts'
import { problemText } from '../../core/config/index.ts'
import { BrineError } from '../../core/error.ts'
import type { CloudOutside, Machines } from '../../master/cloud/index.ts'
import { fingerOf } from '../../master/keys.ts'
import { ec2Machines } from './cloud/ec2-machines.ts'
import type { AwsDesk } from './compose.ts'
import { agentFiles } from './layout/index.ts'

/** The saltenv of clouds' files: they have one. */
const saltenv = 'base'

/** Joins it. `machines` are EC2's where nothing else is given. */
export function openClouds({ store, settings, telemetry }: AwsDesk, machines: Machines = ec2Machines()): CloudOutside {
  const readText = async (path: string): Promise<string | undefined> => {
    const bytes = await store.cloudFiles.read(saltenv, path.replace(/^(?:salt:\/)?\//, ''))
    return bytes === undefined ? undefined : Buffer.from(bytes).toString()
  }
  return {
    machines,
    store: store.clouds,
    tags: settings.machineTags,
    warn: telemetry.warn,
    readText,
    async config(): Promise<CloudConfig> {
      const paths = (await store.cloudFiles.list(saltenv)).map(({ path }) => path).filter(isCloudFile)
      const texts = await Promise.all(paths.map(async (path) => [path, (await readText(path)) ?? ''] as const))
      const config = readCloudConfig(cloudFilesIn(new Map(texts)))
      const errors = config.problems.filter(({ severity }) => severity === 'error')
      if (errors.length > 0) throw new BrineError(errors.map(problemText).join('\n'), { code: 'config' })
      return config
    },
    async agent() {
      const [program, unit] = await Promise.all([
        store.cloudFiles.read(saltenv, agentFiles.program),
        readText(agentFiles.unit),
      ])
      if (program === undefined || unit === undefined) return undefined
      return { hash: createHash('sha256').update(program).digest('hex'), unit }
    },
    async master() {
      const finger = fingerOf(await store.signer.publicKey())
      return { url: settings.url, id: settings.options.id, finger }
    },
  }
}
