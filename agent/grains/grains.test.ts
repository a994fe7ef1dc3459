// Grains: the machine's by Salt's names, and how texts of /etc become them.
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parseJson, stringifyJson } from '../../core/value/index.ts'
import { silentLog, systemOutside } from '../outside.ts'
import { machineGrains } from './machine.ts'
import { nameGrains } from './network.ts'
import { distributionOf } from './os.ts'
import { serverId, timezoneName } from './process.ts'
import { GrainStore } from './store.ts'

describe('the machine’s grains', () => {
  it('have Salt’s names', async () => {
    const grains = await machineGrains('web1', 'https://master')
    const names =
      'cpuarch cpu_flags cpu_model cwd disks dns domain efi fqdn fqdn_ip4 fqdn_ip6 fqdns gid gpus groupname host hwaddr_interfaces id init ip4_gw ip4_interfaces ip6_gw ip6_interfaces ip_gw ip_interfaces ipv4 ipv6 kernel kernelparams kernelrelease kernelversion locale_info localhost master mem_total nodename num_cpus num_gpus os os_family osarch oscodename osfinger osfullname osmajorrelease osrelease osrelease_info path pid ps saltversion saltversioninfo server_id shell ssds swap_total systempath uid username virtual'
    expect(Object.keys(grains)).toEqual(expect.arrayContaining(names.split(' ')))
    expect(grains).toMatchObject({ id: 'web1', master: 'https://master', pid: process.pid })
    expect(grains.pythonversion).toEqual(expect.arrayContaining([3]))
  })

  const environments: [Record<string, string>, RegExp, string | null, string | null][] = [
    [{ TZ: ':CET-1CEST,M3.5.0,M10.5.0/3', LC_ALL: 'de_AT.ISO-8859-1' }, /^CES?T$/, 'de_AT', 'ISO-8859-1'],
    [{ TZ: 'UTC0', LC_ALL: '', LC_CTYPE: '', LANG: 'fr_FR.UTF-8' }, /^UTC$/, 'fr_FR', 'UTF-8'],
  ]
  if (existsSync('/usr/share/zoneinfo/Asia/Tokyo'))
    environments.push([{ TZ: 'Asia/Tokyo', LC_ALL: 'C', SHELL: '' }, /^JST$/, null, null])
  it.each(environments)(
    'tell of the environment %j',
    async (environment, timezone, defaultlanguage, defaultencoding) => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
      const { locale_info: locale, shell } = await machineGrains('web1', '')
      vi.unstubAllEnvs()
      expect(locale).toMatchObject({ timezone: expect.stringMatching(timezone), defaultlanguage, defaultencoding })
      expect(shell).not.toBe('')
    },
  )

  it('have the number Salt computes from the id', () => {
    expect(serverId('lab1')).toBe(704079369)
  })
})

describe('a distribution', () => {
  it.each([
    [
      'NAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian',
      {
        os: 'Debian',
        os_family: 'Debian',
        osfullname: 'Debian GNU/Linux',
        osrelease: '12',
        osmajorrelease: 12,
        oscodename: 'bookworm',
        osfinger: 'Debian-12',
        osarch: 'amd64',
        lsb_distrib_id: 'Debian GNU/Linux',
      },
    ],
    [
      'NAME="Ubuntu"\nVERSION_ID="24.04"\nVERSION_CODENAME=noble',
      {
        os: 'Ubuntu',
        os_family: 'Debian',
        osfullname: 'Ubuntu',
        osrelease: '24.04',
        osrelease_info: [24, 4],
        osfinger: 'Ubuntu-24.04',
      },
    ],
    [
      'NAME="Rocky Linux"\nVERSION_ID="9.3"\nVERSION="9.3 (Blue Onyx)"',
      {
        os: 'Rocky',
        os_family: 'RedHat',
        osfullname: 'Rocky Linux',
        osfinger: 'Rocky Linux-9',
        oscodename: 'Blue Onyx',
      },
    ],
    [
      'NAME="Amazon Linux"\nVERSION_ID="2023"\nPRETTY_NAME="Amazon Linux 2023"',
      { os: 'Amazon', os_family: 'RedHat', osfinger: 'Amazon Linux-2023' },
    ],
    ['NAME="AlmaLinux"\nVERSION_ID="9.4"', { os: 'AlmaLinux', os_family: 'RedHat' }],
    ['NAME="Fedora Linux"\nVERSION_ID=40', { os: 'Fedora', os_family: 'RedHat' }],
    ['NAME="Red Hat Enterprise Linux"\nVERSION_ID="9.2"', { os: 'RedHat', os_family: 'RedHat' }],
    ['NAME="CentOS Stream"\nVERSION_ID="9"', { os: 'CentOS Stream', os_family: 'RedHat' }],
    ['NAME="Alpine Linux"\nVERSION_ID=3.20.1', { os: 'Alpine', os_family: 'Alpine', osmajorrelease: 3 }],
    [
      'NAME="Arch Linux"\nBUILD_ID=rolling',
      { os: 'Arch', os_family: 'Arch', osrelease: 'rolling', osfinger: 'Arch Linux-rolling' },
    ],
    ['NAME="SLES"\nVERSION_ID="15.5"', { os: 'SUSE', os_family: 'Suse' }],
    ['NAME="openSUSE Leap"\nVERSION_ID="15.5"', { os: 'openSUSE Leap', os_family: 'Suse' }],
    ['NAME="Oracle Linux Server"\nVERSION_ID="9.2"', { os: 'OEL', os_family: 'RedHat' }],
    ['NAME="Linux Mint"\nVERSION_ID="21"', { os: 'Mint', os_family: 'Debian' }],
    ['NAME="Raspbian GNU/Linux"\nVERSION_ID="11"', { os: 'Raspbian', os_family: 'Debian', osfinger: 'Raspbian-11' }],
  ])('%j', (text, expected) => {
    expect(distributionOf(text, 'x64')).toMatchObject(expected)
  })
})

describe('names', () => {
  it.each([
    [
      'web',
      '127.0.0.1 localhost\n10.0.0.5 web.example.org web # me',
      { host: 'web', fqdn: 'web.example.org', domain: 'example.org', fqdn_ip4: ['10.0.0.5'] },
    ],
    [
      'web.example.org',
      '',
      { host: 'web', fqdn: 'web.example.org', domain: 'example.org', nodename: 'web.example.org', fqdn_ip4: [] },
    ],
    [
      'vm',
      '127.0.0.1 localhost vm\n::1 localhost vm',
      { host: 'vm', fqdn: 'vm', domain: '', fqdn_ip4: ['127.0.0.1'], fqdn_ip6: [] },
    ],
  ])('%s', (name, hosts, expected) => {
    expect(nameGrains(name, hosts)).toMatchObject(expected)
  })

  it.each([
    ['TZif2…\nUTC0\n', 0, 'UTC'],
    ['…\nCET-1CEST,M3.5.0,M10.5.0/3\n', -60, 'CET'],
    ['…\nCET-1CEST,M3.5.0,M10.5.0/3\n', -120, 'CEST'],
    ['…\nEST5EDT,M3.2.0,M11.1.0\n', 300, 'EST'],
    ['…\n<+0545>-5:45\n', -345, '+0545'],
    ['', 0, 'UTC'],
  ])('of time zones: %j', (file, offset, expected) => {
    expect(timezoneName(file, offset)).toBe(expected)
  })
})

describe('the store', () => {
  it('lays machine, custom, file and configuration over each other, and keeps what is set', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'brine-grains-'))
    const file = join(directory, 'etc/grains')
    const said: string[] = []
    const outside = systemOutside({ ...silentLog, error: (message) => void said.push(message) })
    const store = new GrainStore(
      {
        machine: async () => ({ a: 'machine', b: 'machine', c: 'machine', d: 'machine' }),
        custom: async () => ({ b: 'custom', c: 'custom', d: 'custom' }),
        file,
        config: { d: 'config' },
        format: { parse: async (text) => parseJson(text), print: (value) => stringifyJson(value) },
      },
      outside,
    )
    await store.load()
    await store.set({ c: 'file', d: 'file', e: 1 }, false)
    expect(await store.load()).toEqual({ a: 'machine', b: 'custom', c: 'file', d: 'config', e: 1 })
    await store.set({ e: null, c: null }, true)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ d: 'file' })
    await writeFile(file, '{broken')
    expect(await store.load()).toMatchObject({ c: 'custom' })
    expect(said).toHaveLength(1)
    await rm(directory, { recursive: true })
  })
})
