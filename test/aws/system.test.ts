// The whole system on the emulator: the deployed app, agents as processes, one story after the other, and what is left in the end.
import { afterAll, beforeAll, describe } from 'vitest'
import { endToEnd } from '../e2e/suite.ts'
import { simulatedSources } from './cloud-shapes.ts'
import { type FakeEc2, startFakeEc2 } from './fake-ec2.ts'
import { newSignatory } from './instance.ts'
import { region } from './stack.ts'
import { cloudStories } from './stories/cloud.ts'
import { commandStories } from './stories/commands.ts'
import { consoleContext, consoleStories } from './stories/console.ts'
import { deliveryStories } from './stories/delivery.ts'
import { destroyStory } from './stories/destroy.ts'
import { monitoringStories } from './stories/monitoring.ts'
import { type AwsWorld, awsWorld } from './world.ts'

const signatory = newSignatory()
let ec2: FakeEc2
let world: AwsWorld

describe('brine on AWS', () => {
  beforeAll(async () => {
    ec2 = await startFakeEc2()
    world = await awsWorld('BrineSystem', {
      simulatedSources: simulatedSources.join(),
      emulatorEndpoints: JSON.stringify({ EC2: ec2.url, AUTO_SCALING: ec2.url }),
      identityCertificates: JSON.stringify({ [region]: signatory.pem }),
      identityGroups: 'e2e-*',
      ...consoleContext,
    })
  }, 900_000)
  afterAll(async () => {
    await world?.close()
    await ec2?.close()
  }, 600_000)

  endToEnd('aws', async () => ({ ...world, close: async () => undefined }))
  cloudStories(() => ({ world, ec2, signatory }))
  deliveryStories(() => world)
  commandStories(() => world)
  monitoringStories(() => world)
  consoleStories(() => world)
  destroyStory(() => world)
})
