// `brine-cloud` on the emulator's EC2: machines come and go, what they boot from their user data joins and is accepted.
import { createHash } from 'node:crypto'
import { EC2Client, RegisterImageCommand } from '@aws-sdk/client-ec2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mappingOf } from '../../core/cloud/index.ts'
import { loadYaml } from '../../core/render/yaml/index.ts'
import { createLab, type Lab } from '../system/lab.ts'
import { type BootedMachine, bootMachine, noBoot } from './booted-machine.ts'
import { identityDocument, type MetadataService, newSignatory, serveMetadata } from './instance.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'
import { emulatorClients } from './resources.ts'

const signatory = newSignatory()
const ec2 = new EC2Client(emulatorClients())
/** Other tests use the same emulator. */
const name = `web-${process.pid}`

let lab: Lab
let proxy: RecordingProxy
let metadata: MetadataService | undefined
let machine: BootedMachine | undefined
let instance = ''

beforeAll(async () => {
  proxy = await startRecordingProxy()
  const pem = signatory.pem.replaceAll('\n', '\n    ')
  lab = await createLab({ master: `identity_certificates:\n  us-east-1: |\n    ${pem}\n` })
  lab.write(
    'etc/brine/cloud.providers.d/ec2.conf',
    `my-ec2:\n  driver: ec2\n  id: test\n  key: test\n  endpoint: ${proxy.url}\n  keyname: ops\n  minion:\n    grains: {site: here}\n`,
  )
  lab.write(
    'etc/brine/cloud.profiles.d/web.conf',
    'web:\n  provider: my-ec2\n  image: ami-0abcdef1234567890\n  size: t3.micro\n  tag: {role: web}\nlost:\n  extends: web\n  image: no-such-image\n',
  )
  await lab.startMaster()
})
afterAll(async () => {
  await machine?.close()
  await metadata?.close()
  await lab?.close()
  await proxy?.close()
  ec2.destroy()
})

/** It waits itself for what a machine does. */
const patience = 240_000
const cloud = (...words: readonly string[]) => lab.run('brine-cloud', words, { timeout: patience })
/** Until the lab has seen whatever was told before now: the log keeps its order. */
const caughtUp = async (): Promise<void> => {
  const from = lab.mark()
  const tag = `test/after/${from}`
  await lab.connection().fire(tag, {})
  await lab.waitForEvent({ tag, from })
}
const steps = () =>
  lab.events
    .map(({ tag }) => tag)
    .filter((tag) => tag.startsWith(`salt/cloud/${name}/`))
    .map((tag) => tag.split('/')[3])

/** What the last machine would run. */
function userData(): string {
  const runs = proxy.asked.filter((form) => form.get('Action') === 'RunInstances')
  return Buffer.from(runs.at(-1)?.get('UserData') ?? '', 'base64').toString()
}

describe('brine-cloud', { timeout: 600_000 }, () => {
  it('makes a machine, which joins by its user data and is accepted by its document', async () => {
    const making = cloud('-p', 'web', name)
    const waiting = await lab.waitForEvent({ tag: `salt/cloud/${name}/waiting_for_minion` })
    instance = String(mappingOf(waiting.data)?.instance_id)
    const script = userData()
    const [, url = '', hash = ''] = /curl .* '(\S+)'\necho '([0-9a-f]{64}) {2}/.exec(script) ?? []
    const agent = await (await fetch(url)).arrayBuffer()
    expect(createHash('sha256').update(Buffer.from(agent)).digest('hex')).toBe(hash)
    const written = /cat > \/etc\/brine\/minion <<'BRINE_END'\n(.*?)\nBRINE_END/s.exec(script)?.[1] ?? ''
    const config = mappingOf(loadYaml(written))
    expect(config).toMatchObject({ id: name, grains: { site: 'here' } })
    expect(`${config?.master}/minion/agent`).toBe(url)
    // The machine boots: its agent, its configuration, its document.
    metadata = await serveMetadata(identityDocument(instance), signatory)
    if (noBoot === undefined) {
      machine = await bootMachine({ userData: script, metadata })
      expect(machine.systemd).toEqual(['daemon-reload', 'enable --now brine-minion.service'])
    } else {
      process.stderr.write(`brine-cloud: ${noBoot}; the agent is started without it\n`)
      lab.startMinion(name, `master_finger: ${config?.master_finger}\ngrains: {site: here}\n`, metadata.environment)
    }
    const { stdout, stderr, exit } = await making
    expect([exit, stderr]).toEqual([0, ''])
    expect(stdout).toContain('    deployed:\n        True\n')
    expect(stdout).toContain(`    instanceId:\n        ${instance}\n`)
    await caughtUp()
    expect(steps()).toEqual(['creating', 'requesting', 'querying', 'tagging', 'waiting_for_minion', 'created'])
    const auth = await lab.waitForEvent({ tag: 'salt/auth', has: { id: name, act: 'accept' } })
    expect(auth.data).toMatchObject({ identity: { instance_id: instance, profile: 'web', provider: 'my-ec2:ec2' } })
    await lab.waitForEvent({ tag: `salt/minion/${name}/start` })
    expect(
      (await lab.run('brine', ['-t', '60', name, 'grains.get', 'site', '--out', 'newline_values_only'])).stdout,
    ).toContain('here')
  })

  it('refuses the name a second time, and tells of the machine', async () => {
    const again = await cloud('-p', 'web', name)
    expect(again.stdout).toBe(`${name}:\n    ----------\n    Error:\n        ${name} already exists under my-ec2:ec2\n`)
    expect(again.stderr).toBe(`[ERROR   ] ${name} already exists under my-ec2:ec2\n`)
    const listed = JSON.parse((await cloud('-Q', '--out', 'json')).stdout)
    expect(listed['my-ec2'].ec2[name]).toMatchObject({ id: instance, state: 'running', size: 't3.micro' })
  })

  it('says what there is not, what EC2 refused, and has told no more of it than Salt', async () => {
    await caughtUp()
    const from = lab.mark()
    const lost = await cloud('-p', 'lost', `${name}-lost`)
    expect(lost).toMatchObject({ exit: 1, stdout: '' })
    expect(lost.stderr).toBe(
      `Error: There was a profile error: Failed to deploy VM: There is no image with the name 'no-such-image' in us-east-1 for '${name}-lost'.\n`,
    )
    const { ImageId = '' } = await ec2.send(
      new RegisterImageCommand({ Name: `empty-${name}`, RootDeviceName: '/dev/xvda' }),
    )
    lab.write(
      'etc/brine/cloud.profiles.d/empty.conf',
      `empty:\n  provider: my-ec2\n  image: ${ImageId}\n  size: t3.micro\n`,
    )
    const refused = await cloud('-p', 'empty', `${name}-empty`)
    expect(refused.exit).toBe(1)
    expect(refused.stderr).toContain('There was a profile error: Failed to deploy VM: InvalidAMIID.Unavailable: ')
    await caughtUp()
    const told = lab.events
      .slice(from)
      .flatMap(({ tag }) => (tag.startsWith('salt/cloud/') ? [tag.split('/').slice(2)] : []))
    expect(told).toEqual([
      [`${name}-lost`, 'creating'],
      [`${name}-empty`, 'creating'],
      [`${name}-empty`, 'requesting'],
    ])
    expect(await cloud('-p', 'nosuch', 'x')).toMatchObject({
      exit: 0,
      stdout: 'Error:\n    Profile nosuch is not defined\n',
    })
  })

  it('makes the machines of a map, tells of them and ends them', async () => {
    const [a, b] = [`${name}-a`, `${name}-b`]
    lab.write('web.map', `web:\n  - ${a}\n  - ${b}:\n      size: t3.small\n      requires: [${a}]\n`)
    const map = `${lab.root}/web.map`
    const made = await cloud('-y', '-P', '--no-deploy', '--out', 'json', '-m', map)
    expect(made).toMatchObject({ exit: 0, stderr: '' })
    const question = `The following virtual machines are set to be created:\n  ${a}\n  ${b}\n`
    expect((await lab.run('brine-cloud', ['-d', '-m', map], { stdin: 'n\n' })).stdout).toContain(`      ${a}\n`)
    const told = JSON.parse((await cloud('-Q', '--out', 'json', '-m', map)).stdout)
    expect(told).toMatchObject({ 'my-ec2': { ec2: { [a]: { state: 'running' }, [b]: { size: 't3.small' } } } })
    const again = await cloud('-m', map)
    expect(again.stdout).not.toContain(question)
    expect(again.stdout).toContain(`${b}:\n    ----------\n    Message:\n        Instance already exists`)
    expect((await cloud('-y', '-d', '-m', map)).exit).toBe(0)
    expect(JSON.parse((await cloud('-Q', '--out', 'json', '-m', map)).stdout)).toEqual({
      'my-ec2': { ec2: { [a]: 'Absent', [b]: 'Absent' } },
    })
    const elsewhere = JSON.parse((await cloud('-L', 'eu-west-1', '-Q', '--out', 'json')).stdout || '{}')
    expect(elsewhere['my-ec2']?.ec2?.[name]).toBeUndefined()
    expect((await cloud('--list-locations', 'my-ec2', '-L', 'eu-west-1')).stdout).toContain('eu-west-1')
  })

  it('asks before it ends a machine, and deletes its key', async () => {
    const question = `The following virtual machines are set to be destroyed:\n  my-ec2:\n    ec2:\n      ${name}\n\nProceed? [N/y] `
    expect(await lab.run('brine-cloud', ['-d', name], { stdin: 'n\n' })).toMatchObject({ exit: 0, stdout: question })
    const from = lab.mark()
    const ended = await lab.run('brine-cloud', ['-d', name], { stdin: 'y\n' })
    expect(ended.stdout.startsWith(`${question}... proceeding\n`)).toBe(true)
    expect(ended.stdout).toMatch(new RegExp(`newname:\\n +${name}-DEL[0-9a-f]{32}\\n`))
    await lab.waitForEvent({ tag: 'salt/key', has: { act: 'delete', id: name }, from })
    await caughtUp()
    expect(steps().slice(-2)).toEqual(['destroying', 'destroyed'])
    expect((await lab.connection().keys({ act: 'list' })).lists).toMatchObject({ minions: [] })
    expect(await cloud('-d', name)).toMatchObject({ exit: 0, stdout: 'No machines were found to be destroyed\n' })
  })
})
