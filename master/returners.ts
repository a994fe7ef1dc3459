// Which returners a job names and how they are configured, in the forms people write it.
import { isList, isMapping, type Mapping, pythonStr, type Value } from '../core/value/index.ts'
import type { ReturnerChoice } from './ports.ts'

/** `ret` as it goes to minions: names separated by commas, of a text or a list. */
export function returnersOf(ret: Value | undefined): string {
  if (ret === undefined || ret === null) return ''
  return isList(ret) ? ret.map(pythonStr).join(',') : pythonStr(ret)
}

/** `ret_config` and `ret_kwargs`; undefined where neither is given. Anything but a text and a map is passed over. */
export function returnerChoice(config: Value | undefined, kwargs: Value | undefined): ReturnerChoice | undefined {
  const choice: ReturnerChoice = {
    ...(typeof config === 'string' && config !== '' ? { config } : {}),
    ...(kwargs !== undefined && isMapping(kwargs) ? { kwargs } : {}),
  }
  return Object.keys(choice).length === 0 ? undefined : choice
}

/** The same as a job's envelope names it. */
export function returnerFields({ config, kwargs }: ReturnerChoice = {}): Mapping {
  return {
    ...(config === undefined ? {} : { ret_config: config }),
    ...(kwargs === undefined ? {} : { ret_kwargs: kwargs }),
  }
}
