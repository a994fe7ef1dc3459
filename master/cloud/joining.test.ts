// A machine becomes a minion: expected, accepted by its document, and installed by its user data.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CloudStage, openCloudStage, stagedAgent } from '../../test/master/cloud-stage.ts'
import { fakeAccount } from '../../test/master/fake-machines.ts'
import { masterId, testMinion } from '../../test/master/harness.ts'

let stage: CloudStage

beforeEach(async () => {
  stage = await openCloudStage()
})
afterEach(() => stage.running.close())

const run: CloudStage['run'] = (...words) => stage.run(...words)

describe('a machine becomes a minion', () => {
  async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it('is expected by its id, accepted by its document at once, and waited for', async () => {
    const outcome = run('profile', { prof: 'joined', instances: 'web1' })
    const expected = await until(async () => {
      const [machine] = stage.machines.all
      return machine === undefined ? undefined : stage.running.store.clouds.expected(machine.id)
    })
    expect(expected).toMatchObject({ minion: 'web1', account: fakeAccount, region: 'us-east-1', profile: 'joined' })
    const id = stage.machines.all[0]?.id ?? ''
    const { authenticate } = stage.master
    const [minion, thief, other] = [testMinion('web1'), testMinion('web1'), testMinion('web2')]
    for (const [who, proof, why] of [
      [other, stage.proofOf(id), 'was made for the minion web1'],
      [other, stage.proofOf(id, { accountId: '999999999999' }), `was made in ${fakeAccount}`],
      [
        other,
        { ...stage.proofOf(id), document: stage.proofOf(id).document.replace('2026', '2027') },
        'altered or made up',
      ],
    ] as const) {
      expect(await authenticate({ ...(await who.request()), identity: proof })).toMatchObject({ kind: 'waiting' })
      const [entry] = await stage.running.store.audit.recent(1)
      expect(String(entry?.detail.reason)).toContain(why)
    }
    expect(await authenticate({ ...(await minion.request()), identity: stage.proofOf(id) })).toMatchObject({
      kind: 'token',
    })
    expect(await authenticate({ ...(await thief.request()), identity: stage.proofOf(id) })).toMatchObject({
      state: 'denied',
    })
    const { return: made } = await outcome
    expect(made).toMatchObject({ web1: { deployed: true } })
    const auth = (await stage.running.events()).filter(({ tag }) => tag === 'salt/auth').map(({ data }) => data)
    expect(auth).toContainEqual(
      expect.objectContaining({
        act: 'accept',
        id: 'web1',
        identity: expect.objectContaining({ instance_id: id, profile: 'joined', expected: true }),
      }),
    )
    expect((await stage.told()).map(([tag]) => tag)).toEqual(
      ['creating', 'requesting', 'querying', 'tagging', 'waiting_for_minion', 'created'].map((step) => `web1/${step}`),
    )
  })

  it('runs what installs the agent, pinned, and what the profile says before', async () => {
    const outcome = run('profile', {
      prof: 'joined',
      instances: 'web1',
      wait_for_minion_timeout: 0.01,
      userdata_file: '/srv/first.sh',
    })
    expect((await outcome).return).toMatchObject({
      web1: { Error: { 'Not Deployed': 'Failed to start Salt on host web1' } },
    })
    const script = Buffer.from(String(stage.machines.all[0]?.order.UserData), 'base64').toString()
    const { hash, unit } = stagedAgent
    expect(script).toMatch(/^#!\/bin\/sh\necho first\nset -euo pipefail\n/)
    expect(script).toContain("curl -fsSk --retry 5 -o /tmp/brine-minion.mjs 'https://10.0.0.9:8000/minion/agent'")
    expect(script).toContain(`echo '${hash}  /tmp/brine-minion.mjs' | sha256sum -c -`)
    for (const line of [
      'master: https://10.0.0.9:8000',
      `master_id: ${masterId}`,
      'master_finger: ab:cd',
      'id: web1',
      '  site: a',
    ])
      expect(script.split('\n')).toContain(line)
    expect(script).toContain(unit.trimEnd())
    expect((await stage.told()).find(([tag]) => tag === 'web1/requesting')?.[1]).not.toHaveProperty('kwargs.UserData')
  })

  it('refuses user data that is no shell script, or too long, before anything is made', async () => {
    for (const [userdata, why] of [
      ['#!/usr/bin/python3\n', 'begins with #!/usr/bin/python3'],
      ['x'.repeat(17_000), 'and EC2 takes 16384'],
    ]) {
      const { return: text } = await run('profile', { prof: 'joined', instances: 'web1', userdata: userdata ?? '' })
      expect(text).toContain(why)
    }
    const missing = await run('profile', { prof: 'web', instances: 'web1', userdata_file: '/nosuch' })
    expect(missing.return).toContain('there is no userdata_file /nosuch')
    expect(stage.machines.all).toEqual([])
  })
})
