// /stats: the figures of CherryPy's page that this process has.
import { float, type Mapping, type Value } from '../../../core/value/index.ts'
import type { AnswerCounts } from './counts.ts'
import type { Page } from './page.ts'
import type { ApiSettings } from './settings.ts'

/** The page. */
export function statsPage(
  counts: AnswerCounts,
  clock: { now(): number },
  version: string,
  settings: ApiSettings,
): Page {
  const start = clock.now()
  return {
    method: 'GET',
    path: '/stats',
    who: settings.statsDisableAuth ? ['anyone'] : ['user', 'local'],
    about: 'requests since the start',
    allow: 'GET, HEAD',
    async answer() {
      return { value: { 'CherryPy Applications': figures(counts, start, clock.now(), version) } }
    },
  }
}

function figures(counts: AnswerCounts, start: number, now: number, version: string): Mapping {
  let total = 0
  let time = 0
  const requests: Record<string, Value> = {}
  for (const { path, status, requests: some, seconds } of counts.all()) {
    total += some
    time += seconds
    requests[`${path} ${status}`] = { Requests: some, 'Processing Time': float(seconds) }
  }
  const uptime = (now - start) / 1_000_000
  return {
    Enabled: true,
    'Current Time': float(now / 1_000_000),
    'Requests/Second': float(uptime > 0 ? total / uptime : 0),
    'Server Version': version,
    'Start Time': float(start / 1_000_000),
    'Total Requests': total,
    'Total Time': float(time),
    Uptime: float(uptime),
    Requests: requests,
  }
}
