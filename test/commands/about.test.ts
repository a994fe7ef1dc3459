// What every command tells of itself: its versions, and its help in the width of the terminal.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { brineMain } from '../../cli/commands/brine-main.ts'
import { callMain } from '../../cli/commands/call-main.ts'
import { cloudMain } from '../../cli/commands/cloud-main.ts'
import type { Io } from '../../cli/commands/io.ts'
import { keyMain } from '../../cli/commands/key-main.ts'
import { runMain } from '../../cli/commands/run-main.ts'
import { captured } from './captured.ts'

const commands: Readonly<Record<string, (argv: readonly string[], io: Io) => Promise<number>>> = {
  brine: brineMain,
  'brine-run': runMain,
  'brine-call': callMain,
  'brine-key': keyMain,
  'brine-cloud': cloudMain,
}

afterEach(() => vi.unstubAllEnvs())

describe.each(Object.entries(commands))('%s', (name, main) => {
  const said = async (...argv: string[]): Promise<string> => {
    const { io, stdout } = captured({})
    expect(await main(argv, io)).toBe(0)
    return stdout()
  }

  it('tells its version', async () => {
    expect(await said('--version')).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n$`))
  })

  it('tells the versions of what it runs on', async () => {
    const report = await said('--versions-report')
    expect(report.match(/^\w.*:$/gm)).toEqual([
      'Brine Version:',
      'Node Version:',
      'Dependency Versions:',
      'System Versions:',
    ])
    expect(report).toContain(`\n          Node: ${process.versions.node}\n`)
  })

  it('names the levels of the file from the lowest to the highest', async () => {
    const { io, stderr } = captured({})
    expect(await main(['--log-file-level=nosuch'], io)).toBe(64)
    expect(stderr()).toContain(
      "(choose from 'all', 'garbage', 'trace', 'debug', 'profile', 'info', 'warning', 'error', 'critical', 'quiet')",
    )
  })

  it('says that the folder of -c is not there', async () => {
    const { io, stderr } = captured({})
    const place = name === 'brine-call' ? ['--local'] : ['--sock', '/nosuch/socket']
    const words = { 'brine-key': ['-L'], 'brine-cloud': ['-Q'], brine: ['*', 'test.ping'] }[name] ?? ['test.arg']
    await main(['-c', '/nosuch/folder', ...place, ...words], io)
    expect(stderr()).toMatch(/^WARNING: CONFIG '\/nosuch\/folder' directory does not exist\.$/m)
  })

  it('prints its help in the width of the terminal', async () => {
    const longest = async (columns: number): Promise<number> => {
      vi.stubEnv('COLUMNS', String(columns))
      const text = (await said('--help')).split('\n').filter((line) => line.startsWith('                        '))
      return Math.max(...text.map((line) => line.length))
    }
    expect(await longest(60)).toBeLessThanOrEqual(58)
    expect(await longest(120)).toBeGreaterThan(80)
  })
})
