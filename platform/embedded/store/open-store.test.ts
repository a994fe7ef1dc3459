// One process a directory, schemas and migrations.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenStore, openStore } from './open-store.ts'

describe('openStore', () => {
  let directory: string
  let open: OpenStore | undefined
  let child: ChildProcess | undefined

  beforeEach(() => {
    directory = join(mkdtempSync(join(tmpdir(), 'brine-open-')), 'data.d')
  })
  afterEach(async () => {
    child?.kill('SIGKILL')
    await open?.close()
    open = undefined
    rmSync(join(directory, '..'), { recursive: true })
  })

  it('keeps its id, takes a new boot, and is for its owner alone', async () => {
    const first = await openStore(directory)
    await first.close()
    open = await openStore(directory)
    expect(open.id).toBe(first.id)
    expect(open.boot).not.toBe(first.boot)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  it('refuses a second process and names the first', async () => {
    open = await openStore(directory)
    await expect(openStore(directory)).rejects.toMatchObject({
      code: 'store-locked',
      message: expect.stringContaining(`pid ${process.pid}`),
    })
  })

  it.runIf(existsSync('/proc/self/stat'))(
    'refuses while the process that holds it lives, and takes over when it is dead',
    async () => {
      child = spawn('sleep', ['60'])
      await (await openStore(directory)).close()
      const path = join(directory, 'brine.lock')
      writeFileSync(path, JSON.stringify({ pid: child.pid, born: birthOf(child.pid ?? 0), nonce: 'other' }))
      await expect(openStore(directory)).rejects.toMatchObject({
        code: 'store-locked',
        message: expect.stringContaining(`process ${child.pid}`),
      })
      child.kill('SIGKILL')
      await once(child, 'exit')
      open = await openStore(directory)
      expect(readFileSync(path, 'utf8')).toContain(`"pid":${process.pid}`)
    },
  )

  it('takes over from an earlier process with the same pid, and a lock cut off while it was written', async () => {
    await (await openStore(directory)).close()
    const path = join(directory, 'brine.lock')
    for (const text of [JSON.stringify({ pid: process.pid, born: 'another boot/1', nonce: 'x' }), '{"pid":', '']) {
      writeFileSync(path, text)
      const store = await openStore(directory)
      await store.close()
      expect(existsSync(path)).toBe(false)
    }
  })

  it('lets one of many take over', async () => {
    await (await openStore(directory)).close()
    writeFileSync(
      join(directory, 'brine.lock'),
      JSON.stringify({ pid: process.pid, born: 'another boot/1', nonce: 'x' }),
    )
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => openStore(directory)))
    const opened = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(opened).toHaveLength(1)
    open = opened[0]
  })

  it('refuses a store of a newer program, and lets go of the lock', async () => {
    await (await openStore(directory, { schema: 7 })).close()
    const refused = openStore(directory)
    await expect(refused).rejects.toMatchObject({ code: 'store-newer', message: expect.stringContaining('schema 7') })
    expect(existsSync(join(directory, 'brine.lock'))).toBe(false)
  })

  it('migrates an older store step by step, once', async () => {
    const first = await openStore(directory, { schema: 1 })
    await first.commits.write(() => first.table('things').put('a', 'one'))
    await first.close()
    const runs: number[] = []
    const step = (from: number) => ({
      from,
      run: (table: OpenStore['table']) => {
        runs.push(from)
        const things = table('things')
        things.put('a', `${things.get('a')} ${from}→${from + 1}`)
      },
    })
    for (let time = 0; time < 2; time++) {
      const store = await openStore(directory, { schema: 3, migrations: [step(2), step(1)] })
      expect(store.table('things').get('a')).toBe('one 1→2 2→3')
      await store.close()
    }
    expect(runs).toEqual([1, 2])
    await expect(openStore(directory, { schema: 5, migrations: [] })).rejects.toMatchObject({ code: 'store-older' })
  })

  it('leaves a store as it was when a migration fails', async () => {
    await (await openStore(directory, { schema: 1 })).close()
    const broken = {
      from: 1,
      run: (table: OpenStore['table']) => {
        table('things').put('a', 'half')
        throw new Error('a fault')
      },
    }
    await expect(openStore(directory, { schema: 2, migrations: [broken] })).rejects.toThrow('a fault')
    open = await openStore(directory, { schema: 1 })
    expect(open.table('things').get('a')).toBeUndefined()
  })

  it('says that the directory cannot be made', async () => {
    const file = join(directory, '..', 'file')
    writeFileSync(file, '')
    await expect(openStore(join(file, 'data'))).rejects.toMatchObject({ code: 'store-open' })
  })
})

function birthOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${start}`
}
