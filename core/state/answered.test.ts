// Answers that come later: asked once, told apart by arguments, and an end to it.
import { describe, expect, it } from 'vitest'
import { Need } from '../render/index.ts'
import { answered, answerTo, askedFiles } from './answered.ts'

describe('answered', () => {
  it('asks each question once and begins again with what is known', async () => {
    const asked: string[] = []
    const sum = await answered(
      (known) => Number(answerTo(known, 'a.one')) + Number(answerTo(known, 'a.two')) + Number(answerTo(known, 'a.one')),
      async ({ fun }) => {
        asked.push(fun)
        return fun === 'a.one' ? 1 : 20
      },
    )
    expect(sum).toBe(22)
    expect(asked).toEqual(['a.one', 'a.two'])
  })

  it('tells questions apart by their arguments', async () => {
    const value = await answered(
      (known) => [answerTo(known, 'echo', ['x']), answerTo(known, 'echo', ['y'])],
      async ({ args }) => args[0] ?? null,
    )
    expect(value).toEqual(['x', 'y'])
  })

  it('ends with what an answer fails with, and with what else is thrown', async () => {
    const refuse = async (): Promise<never> => {
      throw new Error('no such file')
    }
    await expect(answered((known) => answerTo(known, 'x'), refuse)).rejects.toThrow('no such file')
    const broken = (): never => {
      throw new Error('broken')
    }
    await expect(answered(broken, async () => null)).rejects.toThrow('broken')
  })

  it('does not ask for ever', async () => {
    const deaf = (): never => {
      throw new Need('test.ping', [], {})
    }
    await expect(answered(deaf, async () => true)).rejects.toThrow('asked for again')
  })

  it('reads files by asking', async () => {
    const read = await answered(
      (known) => {
        const files = askedFiles(known)
        return files.environments().map((env) => [env, files.paths(env), files.read('top.sls', env)])
      },
      async ({ fun, args }) => {
        if (fun === 'cp.envs') return ['base', 'dev']
        if (fun === 'cp.list_master') return args[0] === 'base' ? ['top.sls'] : []
        return args[0] === 'salt://top.sls?saltenv=base' ? 'text' : false
      },
    )
    expect(read).toEqual([
      ['base', ['top.sls'], 'text'],
      ['dev', [], undefined],
    ])
  })
})
