// What a master's configuration means for the embedded master.
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { mappingOf } from '../../core/cloud/index.ts'
import { ignoresFile, masterMinionId, type ParsedMaster } from '../../core/config/index.ts'
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import { ec2Machines } from '../../platform/aws/cloud/ec2-machines.ts'
import {
  apiSettingsOf,
  type CertificateSource,
  type EmbeddedOptions,
  type Log,
  masterOptionsOf,
  pillarRulesOf,
  reactorRetryOf,
} from '../../platform/embedded/index.ts'
import { agentFile, agentUnit } from '../agent-file.ts'
import { consoleFolder } from '../console-folder.ts'
import { version } from '../version.ts'

/** Joins the configuration to the options. */
export function embeddedOptions(
  { config, rest, reactor, written, confFile }: ParsedMaster & { readonly confFile: string },
  log: Log,
): EmbeddedOptions {
  if (isList(config.ext_pillar) && config.ext_pillar.length > 0)
    log.warn('ext_pillar is left out: parameters and secrets are read by a master on AWS alone.')
  const host = rest.host ?? config.interface
  const { port } = rest
  const url = `${rest.disable_ssl ? 'http' : 'https'}://${host}:${port}`
  const ownId = masterMinionId(config.id, hostname())
  return {
    master: masterOptionsOf({ config }, { origin: url, version, confFile }),
    timeout: config.timeout,
    gatherJobTimeout: config.gather_job_timeout,
    api: apiSettingsOf({ config, rest }),
    certificate: certificateSource(rest),
    consoleFolder: consoleFolder(),
    clouds: cloudsOf(confFile, { url, certificates: config.identity_certificates }, log),
    host,
    port,
    dataDir: config.data_dir,
    pkiDir: config.pki_dir,
    sockDir: config.sock_dir,
    places: { reactorRoot: config.reactor_root, fileRoots: config.file_roots },
    ignoresFile: ignoresFile(config),
    autosign: config,
    ...(config.file_recv
      ? { received: { folder: config.cachedir, most: config.file_recv_max_size * 1024 * 1024 } }
      : {}),
    pillar: { roots: config.pillar_roots, ...pillarRulesOf({ config }) },
    entries: reactor.entries,
    runnerDirs: [...config.runner_dirs, ...(config.file_roots.base ?? []).map((root) => join(root, '_runners'))],
    keepJobsSeconds: config.keep_jobs_seconds,
    keepEventsSeconds: config.event_keep_seconds,
    keepEvents: config.event_keep,
    keepLedgerSeconds: config.ledger_keep_seconds,
    auditDays: config.audit_days,
    reactorBreaker: config.reactor_breaker,
    reactorRetry: reactorRetryOf({ config }),
    template: {
      opts: { ...(config as unknown as Mapping), ...(isMapping(written) ? written : {}), id: ownId },
      grains: { id: ownId, host: hostname().split('.')[0] ?? '', os: 'Linux', kernel: 'Linux' },
      pillar: {},
      ...(isMapping(config.jinja_env) ? { jinja: config.jinja_env } : {}),
    },
    minionFunctions: async () => (await import('./minion-functions.ts')).minionFunctions(),
    invokeLambda: async (call) => (await import('../../platform/aws/lambda-calls.ts')).lambdaCalls()(call),
    modules: {
      run: async (...call) => {
        const { machineModules } = await import('./master-modules.ts')
        return machineModules(ownId, config).run(...call)
      },
    },
    log,
  }
}

/** Machines on EC2, by the configuration that stands beside the master's. A warning is said once. */
function cloudsOf(
  confFile: string,
  { url, certificates }: { readonly url: string; readonly certificates: Value },
  log: Log,
): NonNullable<EmbeddedOptions['clouds']> {
  const said = new Set<string>()
  const warn = (message: string): void => {
    if (!said.has(message)) log.warn(message)
    said.add(message)
  }
  return {
    machines: ec2Machines(),
    config: async () => (await import('../../client/cloud-configuration.ts')).cloudConfig(dirname(confFile), warn),
    agent: agentFile,
    unit: agentUnit,
    url,
    certificates: Object.fromEntries(
      Object.entries(mappingOf(certificates) ?? {}).map(([region, pem]) => [region, [pythonStr(pem)]]),
    ),
  }
}

/** The configured pair, or one of the master's own; plain HTTP where that is asked for. */
function certificateSource(rest: ParsedMaster['rest']): CertificateSource {
  if (rest.disable_ssl) return { kind: 'none' }
  if (rest.ssl_crt === null || rest.ssl_key === null) return { kind: 'own' }
  return {
    kind: 'files',
    crt: rest.ssl_crt,
    key: rest.ssl_key,
    ...(rest.ssl_chain === null ? {} : { chain: rest.ssl_chain }),
  }
}
