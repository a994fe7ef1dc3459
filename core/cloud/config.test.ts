// The configuration of clouds, compared with what Salt 3007 answered for the same files, and what is said of single keys.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageOf } from '../error.ts'
import { readCloudConfig } from './index.ts'

interface Row {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly providers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly profiles?: unknown
  readonly error?: string
  readonly logs: readonly string[]
}

const rows = readFileSync(join(import.meta.dirname, 'answered-by-salt.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

/** Where Salt's answer is not ours. */
const otherwise: Readonly<Record<string, string>> = {
  'provider with its driver': 'Salt drops a profile whose provider names its driver, which its documentation allows',
  'a provider extends another': "Salt writes into the extended provider's minion as well",
  'a provider extends one that extends': 'Salt knows no chain of providers',
  'a provider extends one that is not there': "Salt names the driver-less entry '-only-extendable-0'",
  'a provider extends by the alias alone': "Salt names the driver-less entry '-only-extendable-0'",
  'a provider extends a driver that is not there': 'Salt names the alias that extends in place of the one it looked in',
  'two drivers below one alias': 'there is ec2 alone',
  'a profile without a provider': 'Salt answers with a KeyError',
  'a profile that is no map': 'Salt names the file cloud.profiles, whichever the profile stands in',
}

function filesOf(files: Row['files'], kind: string) {
  return Object.entries(files)
    .filter(([name]) => name === kind || name.startsWith(`${kind}.d/`))
    .map(([name, text]) => ({ name, text }))
}

function read(files: Row['files']) {
  const config = readCloudConfig({
    cloud: filesOf(files, 'cloud'),
    providers: filesOf(files, 'cloud.providers'),
    profiles: filesOf(files, 'cloud.profiles'),
  })
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
  return {
    providers: Object.fromEntries(
      [...config.providers].map(([alias, drivers]) => [alias, plain(Object.fromEntries(drivers))]),
    ),
    profiles: plain(Object.fromEntries(config.profiles)),
    problems: config.problems,
  }
}

describe('files that Salt read', () => {
  it.each(rows.filter(({ name }) => otherwise[name] === undefined))(
    '$name',
    ({ files, providers, profiles, error }) => {
      if (error === undefined) {
        expect(read(files)).toMatchObject({ providers, profiles })
        expect(read(files).profiles).toEqual(profiles)
      } else expect(() => read(files)).toThrow(error.replace(/^\w+: /, ''))
    },
  )

  it('says what of a profile leads nowhere, as Salt does', () => {
    const row = rows.find(({ name }) => name === 'a profile extends one that is not there')
    expect(read(row?.files ?? {}).problems.map(({ message }) => message)).toEqual(row?.logs)
  })

  it.each(Object.keys(otherwise))('differs only where there is such a row: %s', (name) => {
    expect(rows.map((row) => row.name)).toContain(name)
  })
})

describe('where Salt answers otherwise', () => {
  const providers = 'a:\n  driver: ec2\n  id: A\n  key: B\n'

  it('keeps a profile whose provider names its driver', () => {
    const { profiles } = read({
      'cloud.providers': providers,
      'cloud.profiles': 'web:\n  provider: a:ec2\n  image: i\n',
    })
    expect(profiles).toEqual({ web: { provider: 'a:ec2', image: 'i', profile: 'web' } })
  })

  it('leaves the extended provider as it was, and follows a chain', () => {
    const chain = `${providers}  minion: {grains: {x: y}}\nb:\n  extends: a:ec2\n  minion: {grains: {z: w}}\nc:\n  extends: b:ec2\n  keyname: k\n`
    expect(read({ 'cloud.providers': chain }).providers).toMatchObject({
      a: { ec2: { minion: { grains: { x: 'y' } } } },
      c: { ec2: { id: 'A', keyname: 'k', minion: { grains: { x: 'y', z: 'w' } } } },
    })
  })

  it.each([
    ['an entry that extends itself', 'a:\n  extends: a:ec2\n', "'a' extends itself"],
    ['an alias without a driver', `${providers}b:\n  extends: a\n`, 'no provider was specified. Write extends: a:ec2'],
    ['a driver that is not there', `${providers}b:\n  extends: a:gce\n`, "'gce' is not defined in 'a'"],
  ])('refuses %s, and names the file', (_, text, message) => {
    expect(() => read({ 'cloud.providers': text })).toThrow(message)
    expect(() => read({ 'cloud.providers': text })).toThrow('cloud.providers: ')
  })

  it('names the profile that names no provider', () => {
    const wrong = () => read({ 'cloud.providers': providers, 'cloud.profiles': 'web:\n  image: i\n' })
    expect(wrong).toThrow("cloud.profiles: The profile 'web' names no provider")
  })
})

describe('single keys', () => {
  const problems = (profile: string, main = '') =>
    read({
      cloud: main,
      'cloud.providers.d/a.conf': 'a:\n  driver: ec2\n',
      'cloud.profiles.d/w.conf': `web:\n  provider: a\n${profile}`,
    }).problems.map(({ severity, file, message }) => `${severity} ${file}: ${message}`)

  it.each([
    [
      '  imge: x\n',
      "warning cloud.profiles.d/w.conf: The profile 'web': imge is no key that Brine knows. Did you mean image?",
    ],
    [
      '  wibble: x\n',
      "warning cloud.profiles.d/w.conf: The profile 'web': wibble is no key that Brine knows. Take it out.",
    ],
    ['  ssh_username: x\n', /ssh_username: It has no effect: nothing is deployed over SSH/],
    ['  volumes: []\n', /volumes: It is not done here. Write block_device_mappings/],
    ['  ebs_optimized: 1\n', /^error .*ebs_optimized: Invalid input: expected boolean/],
    ['  tag: {a: 1}\n', /^error .*tag:a: values must be strings. Try quoting the values/],
    [
      '  network_interfaces: [{DeviceIndex: 0, allocate_new_eip: True}]\n',
      /^error .*Unrecognized key: "allocate_new_eip"/,
    ],
    ['  block_device_mappings: [{DeviceName: /dev/sda, tag: {a: b}}]\n', /^error .*tag is not done here/],
    ['  location: eu-west-1\n', /^error .*location is not that of its provider 'a', which would not find its machines/],
    ['  ssh_interface: both\n', /^error .*ssh_interface: Invalid option/],
  ])('%j', (profile, expected) => {
    const found = problems(profile)
    expect(found).toHaveLength(1)
    if (typeof expected === 'string') expect(found[0]).toBe(expected)
    else expect(found[0]).toMatch(expected)
  })

  it('takes what is right, numbers as text, one group as a list', () => {
    expect(problems('  image: ami-1\n  size: t3.micro\n  securitygroup: a\n  subnetid: 1\n')).toEqual([])
    expect(problems('', 'log_level: debug\nquery.selection: [id]\ndeploy: False\n')).toEqual([])
    expect(problems('', 'pol_size: 2\n')).toEqual([
      'warning cloud: cloud: pol_size is no key that Brine knows. Take it out.',
    ])
  })

  it('leaves out a provider of another cloud, and says so', () => {
    const { providers, problems } = read({ 'cloud.providers': 'g:\n  driver: gce\n  project: p\n' })
    expect(providers).toEqual({})
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("has the driver 'gce'. There is ec2 alone"),
    ])
  })

  it('says which file is no YAML', () => {
    const { problems } = read({ 'cloud.providers': 'a: [\n' })
    expect(problems.map(({ file, severity }) => [file, severity])).toEqual([['cloud.providers', 'error']])
    expect(messageOf(new Error(problems[0]?.message))).toContain('This is not YAML')
  })
})
