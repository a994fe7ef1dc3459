// Group commit: order, sharing, faults, full disks, closing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BrineError } from '../../../core/error.ts'
import { CommitQueue } from './commit-queue.ts'

describe('CommitQueue', () => {
  let directory: string
  let root: RootDatabase
  let commits: CommitQueue

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'brine-commit-'))
    root = open({ path: directory, noSubdir: false, encoding: 'string' })
    commits = new CommitQueue(root, directory)
  })
  afterEach(async () => {
    await root.close()
    rmSync(directory, { recursive: true })
  })

  it('runs writes in order of arrival, each seeing those before it', async () => {
    const seen = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        commits.write(() => {
          const last = Number(root.get('last') ?? -1)
          root.putSync('last', String(index))
          return last
        }),
      ),
    )
    expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => index - 1))
    expect(root.get('last')).toBe('499')
  })

  it('shares transactions among writes that wait together', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => commits.write(() => root.getWriteTxnId())))
    expect(new Set(ids).size).toBeLessThan(5)
  })

  it('tells of commits before any promise of the batch resolves, and not of what failed', async () => {
    const told: string[] = []
    const writes = ['a', 'b', 'c'].map((name) =>
      commits
        .write(
          () => {
            if (name === 'b') throw new BrineError('b is refused. Ask for c.', { code: 'refused' })
            return name
          },
          (value) => told.push(`committed ${value}`),
        )
        .then(
          () => told.push(`resolved ${name}`),
          () => told.push(`rejected ${name}`),
        ),
    )
    await Promise.all(writes)
    expect(told.slice(0, 2)).toEqual(['committed a', 'committed c'])
    expect(told.slice(2).sort()).toEqual(['rejected b', 'resolved a', 'resolved c'])
  })

  it('undoes a write that breaks, and no other', async () => {
    const write = (name: string): Promise<void> =>
      commits.write(() => {
        root.putSync(name, 'x')
        if (name === 'b') throw new TypeError('a fault of ours')
      })
    const [a, b, c] = await Promise.allSettled(['a', 'b', 'c'].map(write))
    expect([a?.status, b?.status, c?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(b?.status === 'rejected' && b.reason).toMatchObject({ code: 'store-write' })
    expect([root.get('a'), root.get('b'), root.get('c')]).toEqual(['x', undefined, 'x'])
    await write('d')
    expect(root.get('d')).toBe('x')
  })

  describe('writes in order', () => {
    const put = (name: string) => () => commits.write(() => root.putSync(name, String(root.getWriteTxnId())))
    const refused = () =>
      commits.write(() => {
        throw new BrineError('b is refused. Ask for c.', { code: 'refused' })
      })
    const broken = () =>
      commits.write(() => {
        throw new TypeError('a fault of ours')
      })

    it('share one transaction', async () => {
      await commits.inOrder(put('a'), () => Promise.all([put('b')(), put('c')()]), put('d'))
      expect(new Set(['a', 'b', 'c', 'd'].map((name) => root.get(name))).size).toBe(1)
    })

    it('stop at one that is refused, and hold up nobody else', async () => {
      const group = commits.inOrder(put('a'), refused, put('b'))
      const other = put('c')()
      await expect(group).rejects.toMatchObject({ code: 'refused' })
      await other
      expect(['a', 'b', 'c'].filter((name) => root.get(name) !== undefined)).toEqual(['a', 'c'])
    })

    it('are none of them made where one of them breaks, and others beside them are', async () => {
      const groups = [commits.inOrder(put('a'), broken), put('b')(), commits.inOrder(put('c'), put('d'))]
      const [first, ...others] = await Promise.allSettled(groups)
      expect(first?.status === 'rejected' && first.reason).toMatchObject({ code: 'store-write' })
      expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
      expect(['a', 'b', 'c', 'd'].filter((name) => root.get(name) !== undefined)).toEqual(['b', 'c', 'd'])
      expect(root.get('c')).toBe(root.get('d'))
    })

    it('break once, although they are alone', async () => {
      let tries = 0
      const counted = () =>
        commits.write(() => {
          tries++
          throw new TypeError('a fault of ours')
        })
      await expect(commits.inOrder(put('a'), counted)).rejects.toMatchObject({ code: 'store-write' })
      expect([tries, root.get('a')]).toEqual([1, undefined])
    })
  })

  it('says that the disk is full, and goes on when it is not', async () => {
    let full = true
    const write = (): Promise<void> =>
      commits.write(() => {
        if (full) throw Object.assign(new Error('No space left on device'), { code: 28 })
        root.putSync('a', 'x')
      })
    await expect(write()).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('free some space'),
    })
    full = false
    await write()
    expect(root.get('a')).toBe('x')
  })

  it('joins work to every transaction', async () => {
    commits.beforeCommit(() => root.putSync('joined', String(Number(root.get('joined') ?? 0) + 1)))
    await commits.write(() => undefined)
    await commits.write(() => undefined)
    expect(root.get('joined')).toBe('2')
  })

  it('finishes what was begun when it closes, and refuses more', async () => {
    const writes = Array.from({ length: 50 }, (_, index) => commits.write(() => root.putSync(`k${index}`, 'x')))
    await commits.close()
    await Promise.all(writes)
    expect(root.getKeysCount({})).toBe(50)
    await expect(commits.write(() => undefined)).rejects.toMatchObject({ code: 'store-closed' })
  })
})
