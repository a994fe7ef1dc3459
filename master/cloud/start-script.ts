// What a new machine runs at its first start: the agent, its configuration and its unit. Nothing comes over SSH.
import { BrineError } from '../../core/error.ts'
import type { Mapping } from '../../core/value/index.ts'
import { dumpYaml } from '../../core/yaml-writer/index.ts'
import { type AgentSource, agentPath, type MasterPlace } from './ports.ts'

/** What the script needs to know. */
export interface FirstStart {
  readonly minion: string
  readonly master: MasterPlace
  /** The minion's configuration as the profile has it, over what the master says. */
  readonly config: Mapping
  readonly grains: Mapping
  readonly agent: AgentSource
}

/** Bytes of user data that EC2 takes. */
const largest = 16 * 1024

/**
 * The script, for bash: what comes before, as the user wrote it, then the agent. The agent's hash and the master's finger
 * stand in it, so that nothing is trusted on first use. Throws where it would be longer than EC2 takes.
 */
export function startScript(start: FirstStart, before = ''): string {
  const own = before.trimStart().startsWith('#!') ? before.trimStart() : `#!/bin/bash\n${before}`
  if (!/^#!\s*\S*\b(?:ba)?sh\b/.test(own))
    throw new BrineError(
      `The userdata begins with ${own.split('\n')[0]}: the minion's installation is bash. Write a shell script, or deploy: False and install it yourself.`,
      { code: 'cloud-config' },
    )
  const text = `${own.trimEnd()}\n${installation(start).join('\n')}\n`
  const bytes = Buffer.byteLength(text)
  if (bytes <= largest) return text
  throw new BrineError(`The user data has ${bytes} bytes, and EC2 takes ${largest}. Make userdata or minion smaller.`, {
    code: 'cloud-config',
  })
}

function installation(start: FirstStart): string[] {
  const { agent, master } = start
  const url = typeof start.config.master === 'string' ? start.config.master : master.url
  const grains = { ...start.grains, ...(start.config.grains as Mapping | undefined) }
  const config: Mapping = {
    master: url,
    ...(master.id === new URL(url).origin ? {} : { master_id: master.id }),
    master_finger: master.finger,
    ...(master.tlsFinger === undefined ? {} : { master_tls_finger: master.tlsFinger }),
    ...start.config,
    id: start.minion,
    ...(Object.keys(grains).length === 0 ? {} : { grains }),
  }
  return [
    'set -euo pipefail',
    'command -v node >/dev/null || dnf -y install nodejs22 || dnf -y install nodejs || (apt-get update && apt-get -y install nodejs)',
    // Its certificate may be the master's own: the hash says whether it is the right file.
    `curl -fsSk --retry 5 -o /tmp/brine-minion.mjs ${quoted(url.replace(/\/$/, '') + agentPath)}`,
    `echo ${quoted(`${agent.hash}  /tmp/brine-minion.mjs`)} | sha256sum -c -`,
    'install -D -m 0755 /tmp/brine-minion.mjs /usr/local/bin/brine-minion',
    'install -d -m 0700 /etc/brine',
    ...written('/etc/brine/minion', yaml(config)),
    'chmod 0600 /etc/brine/minion',
    ...written('/etc/systemd/system/brine-minion.service', agent.unit.trimEnd()),
    'systemctl daemon-reload',
    'systemctl enable --now brine-minion.service',
  ]
}

function yaml(config: Mapping): string {
  return dumpYaml(config).trimEnd()
}

/** A here-document that nothing is read into. */
function written(path: string, text: string): string[] {
  const end = 'BRINE_END'
  if (text.split('\n').includes(end))
    throw new BrineError(`${path} would hold a line ${end}, which ends it. Take the line out.`, {
      code: 'cloud-config',
    })
  return [`cat > ${path} <<'${end}'`, text, end]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
