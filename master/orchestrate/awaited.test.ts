// Which tags of events an orchestration waits for.
import { describe, expect, it } from 'vitest'
import { endedJid, isAwaited } from './awaited.ts'

const jid = '20261121052932933731'

describe('what an orchestration waits for', () => {
  it.each([
    [`salt/job/${jid}/ret/web1`, jid],
    [`salt/run/${jid}/ret`, jid],
    [`salt/wheel/${jid}/ret`, jid],
    [`salt/job/${jid}/new`, undefined],
    [`salt/run/${jid}/new`, undefined],
    [`salt/run/${jid}/ret/more`, undefined],
    [`salt/job/2026/ret/web1`, undefined],
    [`my/salt/job/${jid}/ret/web1`, undefined],
  ])('%s ends %s', (tag, ended) => expect(endedJid(tag)).toBe(ended))

  it('is the return of a job or run, or an event of its globs', () => {
    const awaited = { jids: [jid], events: ['my/go/*'] }
    expect(isAwaited(`salt/job/${jid}/ret/web1`, awaited)).toBe(true)
    expect(isAwaited('my/go/1', awaited)).toBe(true)
    expect(isAwaited(`salt/job/${jid.replace('1', '2')}/ret/web1`, awaited)).toBe(false)
    expect(isAwaited('my/gone', awaited)).toBe(false)
  })
})
