// What watches from outside asks: health and readiness of the deployed gateway, the description of the API, figures.
import { describe, expect, it } from 'vitest'
import { gatewayInvoker } from '../../../platform/aws/remote/index.ts'
import { emulatorClients } from '../resources.ts'
import type { AwsWorld } from '../world.ts'

/** They need a minion, `web2`, that is accepted. */
export function monitoringStories(world: () => AwsWorld): void {
  describe('monitoring', () => {
    it('is told that the gateway answers and can serve, without credentials', async () => {
      const url = world().stack.outputs.ApiUrl ?? ''
      for (const [path, body] of [
        ['/health', { status: 'ok' }],
        ['/ready', { status: 'ready' }],
      ] as const) {
        const answer = await fetch(`${url}${path}`)
        expect([answer.status, await answer.json()]).toEqual([200, body])
      }
    })

    it('gets figures and the description of the API by IAM', async () => {
      const invoker = gatewayInvoker(world().stack.outputs.GatewayFunction ?? '', emulatorClients())
      const textOf = async (path: string): Promise<string> => {
        const answer = await invoker.ask({ method: 'GET', path })
        expect([path, answer.status]).toEqual([path, 200])
        return answer.body
      }
      const figures = new Map(
        (await textOf('/metrics')).split('\n').map((line) => line.split(/ (?=\S+$)/) as [string, string]),
      )
      expect(Number(figures.get('brine_keys{state="accepted"}'))).toBeGreaterThan(0)
      expect(Number(figures.get('brine_minions{state="present"}'))).toBeGreaterThan(0)
      expect(Number.isInteger(Number(figures.get('brine_deliveries_dead')))).toBe(true)
      const { openapi, paths } = JSON.parse(await textOf('/openapi.json'))
      expect(openapi).toBe('3.1.0')
      expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/minion/events', '/run', '/metrics', '/ready']))
      invoker.close()
    })
  })
}
