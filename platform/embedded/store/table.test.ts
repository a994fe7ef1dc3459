// Texts of all sizes and kinds through the shared buffer, and the order of keys.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TemporaryStore, temporaryStore } from './temporary-store.ts'

describe('Table', () => {
  let temporary: TemporaryStore
  beforeEach(async () => {
    temporary = await temporaryStore()
  })
  afterEach(() => temporary.remove())

  it('keeps each of many texts apart, whatever its length', async () => {
    const table = temporary.store.table('t')
    const texts = ['', 'a', 'ü→😀', 'x'.repeat(5000), 'ü'.repeat(90_000), '→'.repeat(400_000), 'b']
    await Promise.all(texts.map((text, index) => temporary.store.commits.write(() => table.put(index, text))))
    expect(texts.map((_, index) => table.get(index))).toEqual(texts)
    await temporary.reopen()
    expect([...temporary.store.table('t').entries()].map(({ text }) => text)).toEqual(texts)
  })

  it('puts a new text only where there is none', async () => {
    const table = temporary.store.table('t')
    const put = (text: string): Promise<boolean> => temporary.store.commits.write(() => table.putNew('a', text))
    expect([await put('one'), await put('two')]).toEqual([true, false])
    expect(table.get('a')).toBe('one')
  })

  it('orders numbers, texts and tuples', async () => {
    const table = temporary.store.table('t')
    const keys = [-1, 0, 9, 10, 1e15, [1, 'b'], [10, 'a'], [10, 'b'], 'a', 'a/1', 'a0', 'b']
    await temporary.store.commits.write(() => {
      for (const key of [...keys].reverse()) table.put(key, '')
    })
    const numbers = [-1, 0, 9, 10, 1e15]
    expect(table.keys().filter((key) => typeof key === 'number')).toEqual(numbers)
    expect(table.keys().filter((key) => typeof key === 'string')).toEqual(['a', 'a/1', 'a0', 'b'])
    expect(table.keys().filter((key) => Array.isArray(key))).toEqual([
      [1, 'b'],
      [10, 'a'],
      [10, 'b'],
    ])
    expect(table.keys({ start: 'a/', end: 'a0' })).toEqual(['a/1'])
    expect(table.keys({ start: 9, after: true, limit: 1 })).toEqual([10])
    expect(table.keys({ start: 'b', reverse: true, limit: 2 })).toEqual(['b', 'a0'])
    expect(table.count()).toBe(keys.length)
  })
})
