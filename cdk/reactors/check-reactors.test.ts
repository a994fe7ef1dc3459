// What synth refuses to deploy, and that it names the file and the line.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkReactors } from './check-reactors.ts'
import { libraryOf, type ReactorFolder, readReactors } from './read-reactors.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'brine-reactors-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const folders = () => ({ reactors: join(root, 'reactors'), fileRoots: { base: [join(root, 'salt')] } })

function write(files: Readonly<Record<string, string>>): ReactorFolder {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return readReactors(folders())
}

const good = {
  'reactors/reactor.conf':
    "reactor:\n  - 'a/*':\n    - /srv/reactor/a.sls\n    - salt://reactor/b.sls\n  - 'c':\n    - /srv/reactor/destroy/*.sls\n",
  'reactors/a.sls': "{% if data['go'] %}\nping:\n  local.test.ping:\n    - tgt: {{ data['id'] }}\n{% endif %}\n",
  'salt/reactor/b.sls': 'other:\n  local.test.ping:\n    - tgt: "*"\n',
  'reactors/destroy/two.sls': '{}',
  'reactors/destroy/one.sls': '{}',
  'reactors/a.test.yml':
    '- tag: a/1\n  data: {go: true, id: web1}\n  sls: [a.sls]\n  expect:\n    ping:\n      local.test.ping:\n        - tgt: web1\n',
}

function complaint(change: Readonly<Record<string, string>>): string {
  try {
    checkReactors(write({ ...good, ...change }))
    return ''
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(root, '') : String(error)
  }
}

describe('a reactor set', () => {
  it('that is right passes, with the names its files have on AWS', () => {
    const set = write(good)
    checkReactors(set)
    expect(set.files.map(({ name }) => name)).toEqual([
      '/srv/reactor/a.sls',
      '/srv/salt/reactor/b.sls',
      '/srv/reactor/destroy/one.sls',
      '/srv/reactor/destroy/two.sls',
    ])
  })

  it('is deployed with every file that an entry may name one day, and with nothing else', () => {
    const set = write({ ...good, 'reactors/later.sls': '{}', 'reactors/README.md': 'x' })
    expect(libraryOf(set, folders()).files.map(({ name }) => name)).toEqual([
      '/srv/reactor/a.sls',
      '/srv/reactor/destroy/one.sls',
      '/srv/reactor/destroy/two.sls',
      '/srv/reactor/later.sls',
      '/srv/salt/reactor/b.sls',
    ])
  })

  it.each([
    ['Jinja that does not parse', { 'reactors/a.sls': 'x:\n{% if data %}\n' }, '/reactors/a.sls:'],
    ['YAML that does not parse', { 'salt/reactor/b.sls': 'a:\n  - b\n c' }, '/salt/reactor/b.sls:'],
    [
      'a reference that leads nowhere',
      { 'reactors/reactor.conf': "reactor:\n  - 'a':\n    - no.sls\n" },
      '/reactors/reactor.conf: ',
    ],
    ['an entry that is none', { 'reactors/reactor.conf': 'reactor:\n  - a\n' }, '/reactors/reactor.conf (entry 1): '],
    [
      'a test that fails',
      { 'reactors/a.test.yml': '- tag: a/1\n  data: {go: true, id: web2}\n  sls: [a.sls]\n  expect: {}\n' },
      '/reactors/a.test.yml, case 1: a/1:',
    ],
    ['a test that is none', { 'reactors/a.test.yml': '- tga: a/1\n' }, '/reactors/a.test.yml'],
    [
      'a template that fails on the event of its test',
      {
        'reactors/a.test.yml': '- tag: a/1\n  data: {}\n  sls: [a.sls]\n  expect: {}\n',
        'reactors/a.sls': "{{ data['x']['y'] }}",
      },
      '/reactors/a.sls',
    ],
  ])('with %s is refused, naming the place', (_, change, place) => {
    expect(complaint(change)).toContain(place)
  })

  it('needs a reactor.conf', () => {
    expect(() => readReactors({ reactors: root, fileRoots: {} })).toThrow('reactor.conf')
  })
})
