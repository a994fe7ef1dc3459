// A configuration key as data: what it may be, what it is when nobody says, what it does.
import { type ConfigType, optional, path } from './types.ts'

/** A key that Brine reads. */
export interface ConfigKey<T = unknown> {
  readonly type: ConfigType<T>
  /** The value where none is written. Folders are those of root; another user's places come in as defaults. */
  readonly value: T
  /** What it does, in a sentence. */
  readonly doc: string
  /** A key that Salt does not have. */
  readonly own?: true
  /** Why it has no effect here: its value is what templates see of it, and no more. */
  readonly unused?: string
  /** A path: a relative one is below `root_dir`, and all of them move with it. */
  readonly path?: true
}

/** Keys by name. */
export type ConfigKeys = Readonly<Record<string, ConfigKey>>

/** The configuration that a table of keys leads to. */
export type ConfigOf<Keys extends ConfigKeys> = {
  readonly [Name in keyof Keys]: Keys[Name] extends ConfigKey<infer T> ? T : never
}

/** A key of Salt. */
export function key<T>(type: ConfigType<T>, value: NoInfer<T>, doc: string): ConfigKey<T> {
  return { type, value, doc }
}

/** A key that Brine adds. */
export function ownKey<T>(type: ConfigType<T>, value: NoInfer<T>, doc: string): ConfigKey<T> & { own: true } {
  return { type, value, doc, own: true }
}

/** A key of Salt whose value templates may ask for, and that does nothing here: why, and what to do instead. */
export function unusedKey<T>(type: ConfigType<T>, value: NoInfer<T>, why: string): ConfigKey<T> & { unused: string } {
  return { type, value, doc: why, unused: why }
}

/** A key of Salt that holds a file or folder. */
export function pathKey(type: ConfigType<string>, value: string, doc: string): ConfigKey<string> & { path: true } {
  return { type, value, doc, path: true }
}

/** The same, where there may be none. */
export function optionalPathKey(doc: string): ConfigKey<string | null> & { path: true } {
  return { type: optional(path), value: null, doc, path: true }
}
