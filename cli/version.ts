// The version of this package, under the name the commands use.
export { brineVersion as version } from '../agent/version.ts'
