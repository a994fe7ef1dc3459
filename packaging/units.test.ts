// Shows that the systemd units start our programs, keep state private, and are well formed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

describe.each(['brine-master', 'brine-minion'] as const)('%s.service', (name) => {
  const lines = readFileSync(join(import.meta.dirname, `${name}.service`), 'utf8').split('\n')
  const settings = lines.filter((line) => line !== '' && !line.startsWith('#'))

  it('holds sections and settings, nothing else', () => {
    expect(settings.filter((line) => !/^\[(Unit|Service|Install)\]$|^[A-Z][A-Za-z]+=.*$/.test(line))).toEqual([])
    expect(settings.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]'])
  })

  it('starts a program of the package', () => {
    expect(settings).toContain(`ExecStart=/usr/bin/env ${name} -c /etc/brine`)
    expect(Object.keys(manifest.bin)).toContain(name)
  })

  it('is ready when the program says so', () => {
    expect(settings).toContain('Type=notify')
    expect(settings).toContain('NotifyAccess=all')
  })

  it('is started again when it fails, and keeps its state to itself', () => {
    expect(settings).toContain('Restart=on-failure')
    expect(settings).toContain('StateDirectoryMode=0700')
    expect(settings).toContain('RuntimeDirectoryMode=0700')
  })
})
