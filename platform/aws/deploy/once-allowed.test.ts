// What is denied at first is tried again, and nothing else.
import { describe, expect, it } from 'vitest'
import { onceAllowed } from './once-allowed.ts'

const patience = { within: 2_000, pause: 1 }

function failing(error: object, times: number): { readonly work: () => Promise<string>; readonly tries: () => number } {
  let tries = 0
  const work = async (): Promise<string> => {
    tries++
    if (tries <= times) throw Object.assign(new Error('no'), error)
    return 'done'
  }
  return { work, tries: () => tries }
}

describe('onceAllowed', () => {
  it.each([
    ['S3', { name: 'AccessDenied' }],
    ['DynamoDB', { name: 'AccessDeniedException' }],
    ['a HEAD of S3', { name: 'UnknownError', $metadata: { httpStatusCode: 403 } }],
  ])('asks again where %s denies it', async (_, error) => {
    expect(await onceAllowed(failing(error, 3).work, patience)).toBe('done')
  })

  it('asks once where anything else is the matter', async () => {
    const { work, tries } = failing({ name: 'ValidationException' }, 1)
    await expect(onceAllowed(work, patience)).rejects.toThrow('no')
    expect(tries()).toBe(1)
  })

  it('gives up in the end', async () => {
    const { work } = failing({ name: 'AccessDenied' }, Number.POSITIVE_INFINITY)
    await expect(onceAllowed(work, { within: 20, pause: 5 })).rejects.toThrow('no')
  })
})
