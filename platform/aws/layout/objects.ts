// The keys of objects in the bucket.

/** A payload too large for a record, by its SHA-256 (hex). Removed by the bucket's lifecycle, see {@link payloadPrefix}. */
export function payloadObject(hash: string): string {
  return `${payloadPrefix}${hash}`
}

/** All payloads: the lifecycle rule of the bucket has to keep them as long as the longest-lived record. */
export const payloadPrefix = 'payload/'

/** A file of `salt://`, by its SHA-256 (hex). */
export function blobObject(hash: string): string {
  return `blob/${hash}`
}

/** Which files there are, of all saltenvs: one object, so that they change together. */
export const filesObject = 'files.json'

/** What stands before the saltenv of the pillar's files in the listing; no saltenv begins so. */
export const pillarFolder = 'pillar:'

/** The same for the configuration of clouds, what it names, and the agent that new machines install. */
export const cloudFolder = 'cloud:'

/** The same for the files by which keys are accepted and rejected by themselves. */
export const autosignFolder = 'autosign:'

/** Where they stand there; a grain's values below `grains/`. */
export const autosignPaths = { accept: 'autosign_file', reject: 'autoreject_file', grains: 'grains/' } as const

/** What stands before a saltenv in the listing: everything that is not of `salt://`. */
export const ownFolders = [pillarFolder, cloudFolder, autosignFolder] as const

/** Where the agent and its unit stand among the files of clouds. */
export const agentFiles = { program: 'agent/brine-minion.mjs', unit: 'agent/brine-minion.service' } as const

/** A version of the reactor set: entries and texts. */
export function reactorSetObject(version: string): string {
  return `reactors/${version}.json`
}

/** A library of reactor files, which entries that are added at run time may name; by its SHA-256 (hex). */
export function reactorLibraryObject(hash: string): string {
  return `reactors/library-${hash}.json`
}

/** A file that a minion pushed. The id has no slash, and the path is of names alone. */
export function receivedObject(minion: string, path: string): string {
  return `minions/${minion}/files/${path}`
}
