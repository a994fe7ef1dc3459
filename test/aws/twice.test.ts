// The end-to-end suite with every message delivered twice: each rule has its own queue as a target a second time.
import { endToEnd } from '../e2e/suite.ts'
import { addTargets, rulesOf } from './rules.ts'
import { awsWorld } from './world.ts'

endToEnd('aws, every message twice', async () => {
  const world = await awsWorld('BrineTwice')
  const bus = world.stack.outputs.BusName ?? ''
  const remove = await addTargets(bus, await rulesOf(bus), ({ queue }) => queue)
  return {
    ...world,
    async close() {
      await remove()
      await world.close()
    },
  }
})
