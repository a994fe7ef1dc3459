// A master that makes machines in memory, for tests of `cloud.*`.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readCloudConfig } from '../../core/cloud/index.ts'
import type { Mapping, Value } from '../../core/value/index.ts'
import { createVerifyExpected } from '../../master/identity/index.ts'
import { createMaster, type Master } from '../../master/master.ts'
import { defaultMasterOptions } from '../../master/options.ts'
import type { RunOutcome } from '../../master/run.ts'
import { type FakeMachines, fakeAccount, fakeMachines } from './fake-machines.ts'
import { masterId, type TestMaster, testMaster } from './harness.ts'

const providers = `
my-ec2:
  driver: ec2
  keyname: ops
  minion:
    grains: {site: a}
other:
  driver: ec2
  location: eu-west-1
`
const profiles = `
web:
  provider: my-ec2
  image: ami-1
  size: t3.micro
  tag: {role: web}
  deploy: False
joined:
  extends: web
  deploy: True
  wait_for_minion_timeout: 20
bad:
  provider: my-ec2
  image: ami-bad
  size: t3.micro
unsized:
  provider: my-ec2
  image: ami-1
named:
  provider: other
  image: debian-12
  size: t3.micro
  subnetname: inner
  securitygroupname: [ssh]
  del_root_vol_on_destroy: True
  deploy: False
`

/** What new machines install, as the stage's master says it. */
export const stagedAgent = {
  hash: createHash('sha256').update('agent').digest('hex'),
  unit: '[Service]\nExecStart=brine-minion\n',
}

/** The master, its machines, and what it told. */
export interface CloudStage {
  readonly running: TestMaster
  readonly master: Master
  readonly machines: FakeMachines
  /** The text of the file `cloud`; a test may change it. */
  main: string
  run(fun: string, kwarg?: Mapping, arg?: readonly Value[]): Promise<RunOutcome>
  /** The events of clouds so far: the tag's end, and the data without its stamp. */
  told(): Promise<[string, Mapping][]>
  /** The identity document of an instance, signed by who the master believes. */
  proofOf(instance: string, more?: Readonly<Record<string, string>>): { document: string; signature: string }
}

/** Opens one. Close `running` in the end. */
export async function openCloudStage(): Promise<CloudStage> {
  const running = await testMaster()
  const machines = fakeMachines()
  const aws = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = aws.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { store } = running
  const master = createMaster(
    store,
    { ...defaultMasterOptions, id: masterId, version: '0.0.0' },
    {
      timeout: 1,
      verifyIdentity: createVerifyExpected({ ...store, certificates: new Map([['us-east-1', [pem]]]) }),
      cloud: async () => ({
        machines,
        store: store.clouds,
        config: async () =>
          readCloudConfig({
            cloud: [{ name: 'cloud', text: stage.main }],
            providers: [{ name: 'cloud.providers', text: providers }],
            profiles: [{ name: 'cloud.profiles', text: profiles }],
          }),
        readText: async (path) => (path === '/srv/first.sh' ? '#!/bin/sh\necho first\n' : undefined),
        agent: async () => stagedAgent,
        master: async () => ({ url: 'https://10.0.0.9:8000', id: masterId, finger: 'ab:cd' }),
        tags: {},
        warn: () => undefined,
      }),
    },
  )
  const stage: CloudStage = {
    running,
    master,
    machines,
    main: 'query.selection: [id, state]\n',
    run: (fun, kwarg = {}, arg = []) =>
      master.startRun({ client: 'runner', fun: `cloud.${fun}`, arg, kwarg, user: 'root' }).outcome,
    told: async () =>
      (await running.events())
        .filter(({ tag }) => tag.startsWith('salt/cloud/'))
        .map(({ tag, data }) => {
          const { _stamp, ...rest } = data as Mapping
          return [tag.replace('salt/cloud/', ''), rest]
        }),
    proofOf(instance, more = {}) {
      const fields = {
        accountId: fakeAccount,
        region: 'us-east-1',
        instanceId: instance,
        pendingTime: '2026-01-01T00:00:00Z',
      }
      const document = JSON.stringify({ ...fields, ...more })
      return { document, signature: sign('sha256', Buffer.from(document), aws.privateKey).toString('base64') }
    },
  }
  return stage
}
