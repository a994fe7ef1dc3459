// Orchestrations on the deployed app: its state machine, its functions, agents as real processes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DeployStage, setDeployStage } from './deploy-stage.ts'

let stage: DeployStage
beforeAll(async () => {
  stage = await setDeployStage('BrineOrchestration', {})
}, 240_000)
afterAll(() => stage?.close(), 240_000)

const DEPLOYED = ['haproxy-disable backend web01', 'deploy-app 1.4.2', 'smoke-test.sh ', 'haproxy-enable backend web01']

describe('the article, on AWS', { timeout: 120_000 }, () => {
  it('drains, deploys, smoke-tests, adds back, and prints as embedded', async () => {
    const { exit, stdout } = await stage.run('state.orchestrate', 'orch.deploy')
    expect(stage.log()).toEqual(DEPLOYED)
    expect(stdout).toMatch(/Succeeded: 4 \(changed=4\)\nFailed: {4}0/)
    expect(exit).toBe(0)
  })
})
