// `lambda.invoke` over a stand-in for Lambda.
import { expect, it } from 'vitest'
import type { Mapping } from '../../core/value/index.ts'
import { MisuseError, RunError } from '../run.ts'
import { type LambdaAnswer, type LambdaCall, lambdaRunner } from './lambda.ts'

async function call(named: Mapping, answer: LambdaAnswer = { status: 200, payload: 'null' }) {
  const calls: LambdaCall[] = []
  const { 'lambda.invoke': fun } = lambdaRunner(async (made) => {
    calls.push(made)
    return answer
  })
  if (fun === undefined) throw new Error('no lambda.invoke')
  const context = {
    jid: '1',
    fun: 'lambda.invoke',
    funArgs: [],
    user: 'root',
    progress: () => undefined,
    print: () => undefined,
  }
  const bound = { named: { payload: null, async: false, qualifier: null, ...named }, positional: [], rest: {} }
  return { calls, told: await fun.run(bound, context) }
}

it('sends the payload as JSON and reads the answer', async () => {
  const answer = { status: 200, payload: '{"made": 3}', version: '$LATEST' }
  const { calls, told } = await call({ name: 'resize', payload: { n: [1, null] }, qualifier: 'live' }, answer)
  expect(calls).toEqual([{ name: 'resize', qualifier: 'live', payload: '{"n": [1, null]}', detached: false }])
  expect(told).toEqual({ status: 200, payload: { made: 3 }, version: '$LATEST' })
})

it('lets Lambda run it by itself', async () => {
  const { calls, told } = await call({ name: 'resize', async: true }, { status: 202, payload: '' })
  expect(calls).toEqual([{ name: 'resize', payload: '{}', detached: true }])
  expect(told).toEqual({ status: 202 })
})

it('fails where the function fails, and returns its error', async () => {
  const payload = '{"errorMessage": "no such bucket", "errorType": "Error"}'
  const failing = call({ name: 'resize' }, { status: 200, payload, error: 'Unhandled' })
  const failure = await failing.catch((error: unknown) => error)
  if (!(failure instanceof RunError)) throw new Error('it did not fail')
  expect(failure.message).toBe('resize failed: Unhandled')
  expect(failure.result).toEqual({
    status: 200,
    payload: { errorMessage: 'no such bucket', errorType: 'Error' },
    error: 'Unhandled',
  })
})

it.each([
  [{ name: 'a b' }, MisuseError, 'is no function'],
  [{ name: '' }, MisuseError, 'is no function'],
  [{ name: 'f', async: true, payload: 'x'.repeat(1024 * 1024) }, RunError, 'Put it into S3'],
])('%j is refused', async (named, kind, words) => {
  const failure = await call(named).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(kind)
  expect(String(failure)).toContain(words)
})
