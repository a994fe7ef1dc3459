// The configuration of clouds: providers, profiles, a machine's settings.
export { type CloudConfig, readCloudConfig } from './config.ts'
export type { Ec2Settings } from './ec2-settings.ts'
export { mappingOf } from './mapping.ts'
export { machineSettings, providerSettings } from './settings-of.ts'
