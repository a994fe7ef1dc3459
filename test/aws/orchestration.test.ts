// Orchestrations on the deployed app: its state machine, its functions, agents as real processes.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { type DeployStage, setDeployStage } from './deploy-stage.ts'
import { type Machine, machineOf } from './executions.ts'
import { orchestrationStories, storyFiles } from './stories/orchestrations.ts'
import { randomPlanStories } from './stories/random-plans.ts'

let stage: DeployStage
let machine: Machine

describe('orchestration on AWS', () => {
  beforeAll(async () => {
    // A name of its own: processes of its functions are killed by that.
    stage = await setDeployStage(`BrineOrchestration${randomBytes(3).toString('hex')}`, storyFiles)
    machine = await machineOf(stage.world.stack)
  }, 900_000)
  afterAll(() => stage?.close(), 600_000)

  orchestrationStories(() => ({ stage, machine }))
  randomPlanStories(() => ({ stage, machine }))
})
