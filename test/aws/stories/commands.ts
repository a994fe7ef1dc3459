// The commands against a stack: found by its name, reached by IAM, without a token.
import { describe, expect, it } from 'vitest'
import { programPath } from '../../system/built.ts'
import { runProgram } from '../../system/process.ts'
import { emulatorClients } from '../resources.ts'
import type { AwsWorld } from '../world.ts'

/** They need a minion, `web2`. */
export function commandStories(world: () => AwsWorld): void {
  describe('the commands', () => {
    const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runProgram(process.execPath, [programPath(program), ...args], {
        env: { AWS_ENDPOINT_URL: emulatorClients().endpoint, ...env },
      })

    it('find the master by --stack, and print as they do anywhere', async () => {
      const { exit, stdout, stderr } = await run('brine', [
        '--stack',
        world().stack.name,
        '-t',
        '60',
        'web2',
        'test.ping',
      ])
      expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: 'web2:\n    True\n', stderr: '' })
    })

    it('find it by BRINE_STACK', async () => {
      const env = { BRINE_STACK: world().stack.name }
      const keys = await run('brine-key', ['-l', 'acc', '--out', 'json'], env)
      expect(JSON.parse(keys.stdout)).toMatchObject({ minions: expect.arrayContaining(['web2']) })
      const list = await run('brine-run', ['reactor.list', '--out', 'json'], env)
      expect(list.stdout).toContain('e2e/greet')
      expect(list.exit).toBe(0)
    })

    it('say what to do where there is no such stack', async () => {
      const { exit, stderr } = await run('brine', ['--stack', 'NoSuchStack', '*', 'test.ping'])
      expect(exit).toBe(2)
      expect(stderr).toContain('there is no stack NoSuchStack in this account and region')
    })
  })
}
