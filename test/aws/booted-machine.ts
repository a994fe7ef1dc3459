// A machine that boots: its user data, run by bash as root, with directories of its own in place of this machine's.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programPath } from '../system/built.ts'
import { waitFor } from '../system/wait.ts'
import type { MetadataService } from './instance.ts'

/** What it boots from. */
export interface Boot {
  readonly userData: string
  readonly metadata: MetadataService
  /** What SSM has, by name. */
  readonly parameters?: Readonly<Record<string, string>>
}

/** A machine whose user data has run to its end. */
export interface BootedMachine {
  /** What it was told to do with systemd, a line each. */
  readonly systemd: readonly string[]
  /** What the script and the agent printed. */
  output(): string
  close(): Promise<void>
}

/** Why none can boot here; undefined where it can. */
export const noBoot: string | undefined = whyNot()

/**
 * The script, before which the directories that it writes to become copies, in a mount namespace. `aws`, `curl` to the metadata
 * service and `systemctl` are stand-ins: the last starts what the unit says.
 */
const boot = `set -e
mount --bind "$1" /mnt
for place in /etc /usr/local/bin; do
  mkdir -p "/mnt/copies$place" && cp -a "$place/." "/mnt/copies$place" && mount --bind "/mnt/copies$place" "$place"
done
for place in /var/lib /var/cache /var/log /run /tmp; do mount -t tmpfs none "$place"; done
export PATH="/mnt/bin:$PATH"
exec bash /mnt/user-data
`

const standIns: Readonly<Record<string, string>> = {
  curl: `exec "$REAL_CURL" "\${@//http:\\/\\/169.254.169.254/$AWS_EC2_METADATA_SERVICE_ENDPOINT}"`,
  aws: `case "$1 $2" in
  's3 cp') cp /mnt/agent "$4" ;;
  'ssm get-parameter') while [ "$1" != --name ]; do shift; done; cat "/mnt/parameters/\${2//\\//_}" ;;
  *) echo "no such call: $*" >&2; exit 1 ;;
esac`,
  systemctl: `echo "$*" >> /mnt/systemd
[ "$1" = enable ] || exit 0
unit=/etc/systemd/system/\${!#}
setsid $(sed -n 's/^ExecStart=//p' "$unit") >> /mnt/output 2>&1 & echo $! > /mnt/pid`,
}

/** Boots one; rejects with what its script said where that fails. */
export async function bootMachine({ userData, metadata, parameters = {} }: Boot): Promise<BootedMachine> {
  const root = mkdtempSync(join(tmpdir(), 'brine-machine-'))
  const path = (name: string) => join(root, name)
  const text = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '')
  for (const folder of ['bin', 'parameters']) mkdirSync(path(folder))
  for (const [name, commands] of Object.entries(standIns)) {
    writeFileSync(path(`bin/${name}`), `#!/bin/bash\n${commands}\n`)
    chmodSync(path(`bin/${name}`), 0o755)
  }
  for (const [name, value] of Object.entries(parameters))
    writeFileSync(path(`parameters/${name.replaceAll('/', '_')}`), value)
  writeFileSync(path('agent'), readFileSync(programPath('brine-minion')))
  writeFileSync(path('user-data'), userData)
  writeFileSync(path('output'), '')
  const close = async (): Promise<void> => {
    const pid = Number(text('pid'))
    if (pid > 0 && existsSync(`/proc/${pid}`)) {
      process.kill(pid, 'SIGTERM')
      await waitFor('the agent to end', () => (existsSync(`/proc/${pid}`) ? undefined : true))
    }
    rmSync(root, { recursive: true, force: true })
  }
  const env = { ...process.env, ...metadata.environment, REAL_CURL: realCurl() }
  const child = spawn('unshare', ['--mount', 'bash', '-c', boot, 'boot', root], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
  const exit = await new Promise((resolve) => child.once('close', resolve))
  if (exit !== 0) {
    await close()
    throw new Error(`The user data ended with ${String(exit)}: ${said}`)
  }
  return { systemd: text('systemd').trim().split('\n'), output: () => said + text('output'), close }
}

function realCurl(): string {
  return execFileSync('bash', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
}

function whyNot(): string | undefined {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'pipe' })
    realCurl()
    return undefined
  } catch (error) {
    return `user data cannot be run here (root, mount namespaces and curl are needed): ${String(error).split('\n')[0]}`
  }
}
