// The arguments with which one state calls another.
import type { Mapping } from '../../core/value/index.ts'
import { Arguments } from '../modules/arguments.ts'
import type { AgentState } from './state-module.ts'

/** What is given, bound as the state's signature has it: a default for what is missing or None, the rest as `**kwargs`. */
export function boundArguments({ signature }: AgentState, given: Mapping): Arguments {
  const names = new Set(signature.params.map(({ name }) => name))
  const named: Mapping = {}
  for (const { name, default: value } of signature.params) named[name] = given[name] ?? value ?? null
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)))
  return new Arguments({ kind: 'bound', named, positional: [], rest })
}
