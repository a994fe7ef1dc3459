// Which files of a folder are the configuration of clouds, and in which order they are read.
import type { CloudFiles } from './config.ts'

type Place = readonly [main: string, folder: string]

/** The main file and the folder of each part. */
const places = {
  cloud: ['cloud', 'cloud.conf.d/'],
  providers: ['cloud.providers', 'cloud.providers.d/'],
  profiles: ['cloud.profiles', 'cloud.profiles.d/'],
} as const

/** The files among these, by path. Those of a folder end with `.conf` and follow the main file in order of their names. */
export function cloudFilesIn(texts: ReadonlyMap<string, string>): CloudFiles {
  const filesOf = (place: Place) =>
    [...texts]
      .filter(([path]) => isIn(place, path))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => ({ name, text }))
  return {
    cloud: filesOf(places.cloud),
    providers: filesOf(places.providers),
    profiles: filesOf(places.profiles),
  }
}

/** Whether a file may be part of it. */
export function isCloudFile(path: string): boolean {
  return Object.values(places).some((place) => isIn(place, path))
}

function isIn([main, folder]: Place, path: string): boolean {
  return path === main || (path.startsWith(folder) && path.endsWith('.conf'))
}
