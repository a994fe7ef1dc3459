// The embedded platform: a whole master in one process.
export { readExternalAuth } from '../../master/acl/index.ts'
export { type ApiSettings, readHookSignatures } from '../../master/api/salt/index.ts'
export { defaultMasterOptions, type MasterOptions } from '../../master/options.ts'
export { type CertificateSource, ownCertificate } from './certificate.ts'
export { type EmbeddedMaster, type EmbeddedOptions, type Log, socketName, startEmbeddedMaster } from './compose.ts'
export { type BenchResult, type LintFindings, openReactorBench, type ReactorBench } from './reactor-bench.ts'
