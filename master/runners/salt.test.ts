// The runner salt.cmd over modules that refuse.
import { expect, it } from 'vitest'
import { BrineError } from '../../core/error.ts'
import { MisuseError } from '../run.ts'
import { saltRunner } from './salt.ts'

const calling = (error: Error) => {
  const cmd = saltRunner({
    modules: { run: () => Promise.reject(error) },
    execute: () => Promise.reject(error),
    resolve: () => Promise.reject(error),
    timeout: 1,
  })['salt.cmd']
  const context = {
    jid: '1',
    fun: 'salt.cmd',
    funArgs: [],
    user: 'root',
    progress: () => undefined,
    print: () => undefined,
  }
  return async () => cmd?.run({ named: { fun: 'test.ping' }, positional: ['x'], rest: {} }, context)
}

it('takes arguments that do not fit the function for its own, as Salt does', async () => {
  const misfit = new BrineError('ping() takes 0 positional arguments but 1 was given', { code: 'arguments' })
  await expect(calling(misfit)()).rejects.toEqual(new MisuseError(misfit.message))
})

it('hands on what else goes wrong', async () => {
  await expect(calling(new Error('boom'))()).rejects.toThrow('boom')
})
