// How a state function says how it went.
import type { Mapping } from '../../core/value/index.ts'
import type { StateReturn } from './state-module.ts'

/** As it should be already, or brought about. */
export function fine(name: string, comment: string, changes: Mapping = {}): StateReturn {
  return { name, result: true, changes, comment }
}

/** In test mode: something would be changed. */
export function would(name: string, comment: string, changes: Mapping = {}): StateReturn {
  return { name, result: null, changes, comment }
}

/** It could not be brought about. */
export function wrong(name: string, comment: string, changes: Mapping = {}): StateReturn {
  return { name, result: false, changes, comment }
}
