// The embedded platform: a whole master in one process.
export { apiSettingsOf, masterOptionsOf, pillarRulesOf, reactorRetryOf } from '../../master/configured.ts'
export type { MasterModules } from '../../master/runners/salt.ts'
export { type CertificateSource, ownCertificate } from './certificate.ts'
export type { CloudsOptions } from './clouds.ts'
export { type EmbeddedMaster, type EmbeddedOptions, type Log, socketName, startEmbeddedMaster } from './compose.ts'
export { type BenchResult, type LintFindings, openReactorBench, type ReactorBench } from './reactor-bench.ts'
export { type Restored, restoreBackup } from './store/backup.ts'
