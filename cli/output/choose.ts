// Which outputter prints a return, and its code, loaded only when it is used.
import type { Outputter } from './outputter.ts'

const LOADERS: Readonly<Record<string, () => Promise<Outputter>>> = {
  highstate: async () => (await import('./highstate.ts')).highstate,
  json: async () => (await import('./json.ts')).json,
  key: async () => (await import('./key.ts')).key,
  nested: async () => (await import('./nested.ts')).nested,
  newline_values_only: async () => (await import('./newline-values-only.ts')).newlineValuesOnly,
  no_return: async () => (await import('./no-return.ts')).noReturn,
  pprint: async () => (await import('./pprint.ts')).pprint,
  quiet: async () => (await import('./quiet.ts')).quiet,
  raw: async () => (await import('./raw.ts')).raw,
  table: async () => (await import('./table.ts')).table,
  txt: async () => (await import('./txt.ts')).txt,
  yaml: async () => (await import('./yaml.ts')).yaml,
}

/** Those of Brine's own functions, which ask for them; with `--out` anybody may. */
const OWN_LOADERS: typeof LOADERS = {
  event_list: async () => (await import('./reactor/event-list.ts')).eventList,
  orchestration: async () => (await import('./orchestration.ts')).orchestration,
  event_trace: async () => (await import('./reactor/event-trace.ts')).eventTrace,
  reactor_explain: async () => (await import('./reactor/reactor-explain.ts')).reactorExplain,
  reactor_failed: async () => (await import('./reactor/reactor-failed.ts')).reactorFailed,
  reactor_lint: async () => (await import('./reactor/reactor-lint.ts')).reactorLint,
  reactor_test: async () => (await import('./reactor/reactor-test.ts')).reactorTest,
}

/** The names `--out` accepts, besides `text` for `txt`. */
export const OUTPUTTERS: readonly string[] = Object.keys(LOADERS)

/** What decides how a return is printed. */
export interface OutputChoice {
  /** `--out`. */
  readonly asked?: string | undefined
  /** The `out` that came with the return, e.g. `highstate`. */
  readonly returned?: string | null | undefined
  /** `--static`. */
  readonly isStatic?: boolean | undefined
  /** The function that ran; a static `state.` function prints as highstate. */
  readonly fun?: string | readonly string[] | undefined
}

/** An outputter's name as Salt chooses it: `--out` wins, except `--out=highstate`, which leaves it to the return. */
export function chooseOutputter(choice: OutputChoice): string {
  const asked = choice.asked === '' ? undefined : choice.asked
  let name = asked !== undefined && asked !== 'highstate' ? asked : (choice.returned ?? '')
  if (name === '' && choice.isStatic === true) {
    if (asked !== undefined) name = asked
    else if (typeof choice.fun === 'string' && choice.fun.split('.')[0] === 'state') name = 'highstate'
  }
  if (name === 'text') return 'txt'
  return name === '' ? 'nested' : name
}

/** True where Brine has an outputter of this name; for others Salt logs an error and prints with `nested`. */
export function hasOutputter(name: string): boolean {
  return Object.hasOwn(LOADERS, name) || Object.hasOwn(OWN_LOADERS, name)
}

/** The outputter of this name, `nested` where there is none. */
export async function outputter(name: string): Promise<Outputter> {
  const load = hasOutputter(name) ? (LOADERS[name] ?? OWN_LOADERS[name]) : undefined
  return await (load ?? (async () => (await import('./nested.ts')).nested))()
}

/** What Salt logs as an error when asked for an outputter it does not have; nothing for `grains`, which it once had. */
export function unknownOutputter(name: string): string | undefined {
  if (hasOutputter(name) || name === 'grains') return undefined
  return `Invalid outputter ${name} specified, fall back to nested`
}
