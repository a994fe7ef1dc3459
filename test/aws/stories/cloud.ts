// Instances come and go: believed by their documents, accepted by their group, served by hooks, forgotten at their end.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { Stack } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { fleetUserData } from '../../../cdk/fleet-user-data.ts'
import { ROOT } from '../../system/built.ts'
import { waitFor } from '../../system/wait.ts'
import { bootMachine, noBoot } from '../booted-machine.ts'
import { putActivity, putLifecycleAction, putState } from '../cloud-shapes.ts'
import type { FakeEc2 } from '../fake-ec2.ts'
import { storeOf } from '../inside.ts'
import { identityDocument, newSignatory, type Signatory, serveMetadata } from '../instance.ts'
import { emulatorClients } from '../resources.ts'
import { region } from '../stack.ts'
import type { AwsWorld } from '../world.ts'

/** What the stories need. */
export interface Cloud {
  readonly world: AwsWorld
  readonly ec2: FakeEc2
  readonly signatory: Signatory
}

const instance = 'i-0123456789abcdef0'
const group = 'e2e-fleet'

/** Their tests go on from each other. */
export function cloudStories(cloud: () => Cloud): void {
  describe('a fleet on EC2', { timeout: 600_000 }, () => {
    const services: { close(): Promise<void> }[] = []
    afterAll(() => Promise.all(services.map((service) => service.close())))

    const environmentWith = async (document: string, signatory: Signatory = cloud().signatory) => {
      const service = await serveMetadata(document, signatory)
      services.push(service)
      return service.environment
    }

    /** Reasons why documents were refused, newest first. */
    const refusals = async (): Promise<string[]> => {
      const entries = await (await storeOf(cloud().world.stack)).audit.recent(200)
      return entries.flatMap(({ what, detail }) => (what === 'identity refused' ? [String(detail.reason)] : []))
    }

    it('tells of a launch in Salt’s words, and waits in its hook', async () => {
      const { world, ec2 } = cloud()
      ec2.put({ id: instance, launchedAt: new Date(), group })
      await putState(instance, 'pending')
      await putLifecycleAction('launch', instance, group)
      const creating = await world.waitForEvent({ tag: `salt/cloud/${instance}/creating` })
      expect(creating.data).toMatchObject({
        name: instance,
        instance_id: instance,
        provider: 'ec2',
        event: 'starting create',
      })
      await world.waitForEvent({ tag: `salt/cloud/${instance}/requesting` })
      expect(ec2.calls.filter(({ result }) => result !== '')).toEqual([])
    })

    it('accepts by the group that AWS vouches for, runs the start-up job, and completes the launch', async () => {
      const { world, ec2 } = cloud()
      world.startMinion('web-1', await environmentWith(identityDocument(instance)))
      const auth = await world.waitForEvent({ tag: 'salt/auth', has: { id: 'web-1', act: 'pend' } })
      expect(auth.data.identity).toMatchObject({ account: '000000000000', instance_id: instance, asg: group })
      await world.waitForEvent({ tag: 'salt/minion/web-1/start' })
      const completed = await waitFor('the launch to be completed', () =>
        ec2.calls.find(({ action }) => action === 'CompleteLifecycleAction'),
      )
      expect(completed).toEqual({
        action: 'CompleteLifecycleAction',
        group,
        hook: 'brine-launch',
        token: `token-launch-${instance}`,
        instance,
        result: 'CONTINUE',
      })
      await putState(instance, 'running')
      await putActivity('Launch', instance, group)
      const created = await world.waitForEvent({ tag: 'salt/cloud/web-1/created' })
      expect(created.data).toMatchObject({ name: 'web-1', instance_id: instance })
    })

    it.skipIf(noBoot !== undefined)('has a machine join by the user data of its launch template', async () => {
      const { world, ec2, signatory } = cloud()
      const id = 'i-0000000000000b007'
      ec2.put({ id, launchedAt: new Date(), group })
      const metadata = await serveMetadata(identityDocument(id), signatory)
      const { ApiUrl = '', FingerParameter = '' } = world.stack.outputs
      const ssm = new SSMClient(emulatorClients())
      const { Parameter } = await ssm.send(new GetParameterCommand({ Name: FingerParameter }))
      const data = fleetUserData(
        {
          masterUrl: ApiUrl,
          fingerParameter: FingerParameter,
          region,
          idPrefix: 'web-',
          webIdentity: false,
          startUpGrains: { role: 'web server', odd: '$HOME' },
          unit: readFileSync(join(ROOT, 'packaging/brine-minion.service'), 'utf8'),
        },
        { bucket: Bucket.fromBucketName(new Stack(), 'Agent', 'agents'), bucketKey: 'brine-minion.mjs' },
      )
      const machine = await bootMachine({
        userData: data.render(),
        metadata,
        parameters: { [FingerParameter]: Parameter?.Value ?? '' },
      })
      services.push(machine, metadata)
      expect(machine.systemd).toEqual(['daemon-reload', 'enable --now brine-minion.service'])
      await world.waitForEvent({ tag: `salt/minion/web-${id}/start` })
      const grains = await world.connection.publish({
        tgt: `web-${id}`,
        fun: 'grains.item',
        arg: ['role', 'odd', 'ec2'],
      })
      const ret = await world.waitForEvent({ tag: `salt/job/${grains.jid}/ret/web-${id}` })
      expect(ret.data.return).toMatchObject({ role: 'web server', odd: '$HOME' })
    })

    it('refuses what is forged, replayed by another key, late, or of another account, and says why in the audit', async () => {
      const { world, ec2 } = cloud()
      const [late, gone] = ['i-00000000000000001', 'i-00000000000000002']
      ec2.put({ id: late, launchedAt: new Date(Date.now() - 3_600_000), group, lifecycle: 'InService' })
      ec2.put({ id: gone, launchedAt: new Date(), state: 'terminated', group })
      const tries: readonly [string, Readonly<Record<string, string>>, string][] = [
        ['forged', await environmentWith(identityDocument(instance), newSignatory()), 'altered or made up'],
        ['replayed', await environmentWith(identityDocument(instance)), 'another key spoke for the instance'],
        ['late', await environmentWith(identityDocument(late)), 'has to speak within 600 s'],
        ['gone', await environmentWith(identityDocument(gone)), 'is terminated'],
        [
          'foreign',
          await environmentWith(identityDocument(instance, { accountId: '999999999999' })),
          'account 999999999999 is not allowed',
        ],
      ]
      for (const [id, environment, reason] of tries) {
        const minion = world.startMinion(id, environment)
        const auth = await world.waitForEvent({ tag: 'salt/auth', has: { id, act: 'pend' } })
        expect(auth.data.identity).toBeUndefined()
        expect(await refusals()).toEqual(expect.arrayContaining([expect.stringContaining(reason)]))
        await minion.stop()
      }
      expect(await world.connection.keys({ act: 'list' })).toMatchObject({
        lists: { minions: expect.not.arrayContaining(tries.map(([id]) => id)) },
      })
    })

    it('forgets the key at the end, completes the hook, and lets a reactor know', async () => {
      const { world, ec2 } = cloud()
      const from = world.mark()
      await putLifecycleAction('terminate', instance, group)
      await putState(instance, 'shutting-down')
      await putState(instance, 'terminated')
      await world.waitForEvent({ tag: 'salt/cloud/web-1/destroying', from })
      await world.waitForEvent({ tag: 'salt/cloud/web-1/destroyed', from })
      const noted = await world.waitForEvent({ tag: 'e2e/destroyed', from })
      expect(noted.data).toMatchObject({ instance, name: 'web-1' })
      await world.waitForEvent({ tag: 'salt/key', has: { act: 'delete', id: 'web-1' }, from })
      // The hook's event and those of the instance's states are worked on at the same time.
      const completed = await waitFor('the end to be completed', () =>
        ec2.calls.find((call) => call.hook === 'brine-terminate' && call.instance === instance && call.result !== ''),
      )
      expect(completed).toMatchObject({ action: 'CompleteLifecycleAction', result: 'CONTINUE' })
    })
  })
}
