// Derived event ids: stable, distinct, sortable.
import { expect, test } from 'vitest'
import { derivedEventId } from './derived-id.ts'

test('the same jid and part give the same ULID', () => {
  const id = derivedEventId('20261121052717505002', 'new')
  expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
  expect(derivedEventId('20261121052717505002', 'new')).toBe(id)
})

test('another part or jid gives another', () => {
  const ids = ['new', 'ret/db1', 'ret/db2'].map((part) => derivedEventId('20261121052717505002', part))
  ids.push(derivedEventId('20261121052717505003', 'new'))
  expect(new Set(ids).size).toBe(4)
})

test('ids sort by the time of their jid', () => {
  expect(derivedEventId('20261121052717505002', 'new') < derivedEventId('20261121052718505002', 'new')).toBe(true)
})

test('a text that is no jid still has an id', () => {
  expect(derivedEventId('req', 'ret/db1')).toMatch(/^0{10}/)
})
