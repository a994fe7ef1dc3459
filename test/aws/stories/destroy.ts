// The end of a stack: everything it made is gone, asked of each service itself.
import { describe, expect, it } from 'vitest'
import { askedTypes, remaining, resourcesOf } from '../remains.ts'
import type { AwsWorld } from '../world.ts'

/** The last test of a world. */
export function destroyStory(world: () => AwsWorld): void {
  describe('cdk destroy', () => {
    it('leaves nothing behind', async () => {
      const { stack, close } = world()
      const resources = await resourcesOf(stack.name)
      expect(new Set(resources.map(({ type }) => type))).toEqual(new Set(askedTypes))
      expect(await remaining(resources)).toEqual(resources)
      await close()
      expect(await remaining(resources)).toEqual([])
    }, 600_000)
  })
}
