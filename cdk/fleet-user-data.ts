// What an instance of a fleet runs at its first start: the agent as one file, its configuration, its systemd unit.
import { type S3DownloadOptions, UserData } from 'aws-cdk-lib/aws-ec2'

/** What the script needs to know. Texts may be CloudFormation tokens. */
export interface FleetStart {
  /** Where the asset was put by the download before. */
  readonly agentFile: string
  readonly masterUrl: string
  /** What the agent names in its assertions; the URL's origin where it is absent. */
  readonly masterId?: string
  /** The name of the SSM parameter with the finger of the master's signing key. */
  readonly fingerParameter: string
  readonly region: string
  /** What stands before the instance id in a minion's id. */
  readonly idPrefix: string
  /** Whether the agent asks STS for a token too. */
  readonly webIdentity: boolean
  readonly startUpGrains: Readonly<Record<string, string>>
  /** The unit, as packaging/ has it. */
  readonly unit: string
}

/** All of it, as the launch template has it. */
export function fleetUserData(
  start: Omit<FleetStart, 'agentFile'>,
  agent: Pick<S3DownloadOptions, 'bucket' | 'bucketKey'>,
): UserData {
  const data = UserData.forLinux()
  data.addCommands(...fleetTools)
  const agentFile = data.addS3DownloadCommand({ ...agent, localFile: '/tmp/brine-minion.mjs', region: start.region })
  data.addCommands(...fleetCommands({ ...start, agentFile }))
  return data
}

/** What comes before the agent's download: a script that stops at the first failure, and the programs it needs. */
export const fleetTools: readonly string[] = [
  'set -euo pipefail',
  'command -v node >/dev/null || dnf -y install nodejs22 || dnf -y install nodejs || (apt-get update && apt-get -y install nodejs)',
  'command -v aws >/dev/null || dnf -y install awscli-2',
]

/**
 * The commands behind the download, for bash. Node comes with the image or from its package manager; everything else is in the asset. Nothing
 * is trusted on first use: the finger comes from SSM over the instance's role before the agent starts.
 */
export function fleetCommands(start: FleetStart): string[] {
  return [
    `install -D -m 0755 ${start.agentFile} /usr/local/bin/brine-minion`,
    'TOKEN=$(curl -sf -X PUT http://169.254.169.254/latest/api/token -H "X-aws-ec2-metadata-token-ttl-seconds: 300")',
    'INSTANCE=$(curl -sf -H "X-aws-ec2-metadata-token: $TOKEN" http://169.254.169.254/latest/meta-data/instance-id)',
    `FINGER=$(aws ssm get-parameter --region ${start.region} --name ${start.fingerParameter} --query Parameter.Value --output text)`,
    'install -d -m 0700 /etc/brine',
    'cat > /etc/brine/minion <<EOF',
    `master: ${plainInHere(start.masterUrl)}`,
    ...(start.masterId === undefined ? [] : [`master_id: ${plainInHere(start.masterId)}`]),
    'master_finger: $FINGER',
    `id: ${plainInHere(start.idPrefix)}$INSTANCE`,
    ...(start.webIdentity ? ['ec2_web_identity: True'] : []),
    ...grainLines(start.startUpGrains),
    'EOF',
    'chmod 0600 /etc/brine/minion',
    "cat > /etc/systemd/system/brine-minion.service <<'EOF'",
    ...start.unit.trimEnd().split('\n'),
    'EOF',
    'systemctl daemon-reload',
    'systemctl enable --now brine-minion.service',
  ]
}

function grainLines(grains: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(grains)
  if (entries.length === 0) return []
  return [
    'grains:',
    ...entries.map(([key, value]) => plainInHere(`  ${JSON.stringify(key)}: ${JSON.stringify(value)}`)),
  ]
}

/** The text as bash gives it back in a here-document that expands variables; what CloudFormation fills in stays. */
function plainInHere(text: string): string {
  return text
    .split(/(\$\{Token\[[^\]]*\]\})/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\$`]/g, '\\$&')))
    .join('')
}
