// Orchestrations by people, reactors and other orchestrations: to their end, stopped, paused, waiting, renewed, abandoned.
import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../../system/wait.ts'
import type { DeployStage } from '../deploy-stage.ts'
import type { Machine } from '../executions.ts'
import { emulatorClients } from '../resources.ts'
import { rulesOf } from '../rules.ts'

const events = new EventBridgeClient(emulatorClients())

/** What the stories need. */
export interface OrchestrationStage {
  readonly stage: DeployStage
  readonly machine: Machine
}

/** What a deployment that goes well runs. */
const DEPLOYED = ['haproxy-disable backend web01', 'deploy-app 1.4.2', 'smoke-test.sh ', 'haproxy-enable backend web01']

/** Files of `salt://` that they need beside the article's. */
export const storyFiles: Readonly<Record<string, string>> = {
  'orch/wait.sls': `hear:
  salt.wait_for_event:
    - name: my/go/*
    - id_list: [a, b]
    - timeout: 1800
then:
  salt.function:
    - name: cmd.run
    - tgt: web01
    - arg: ['deploy-app then']
    - require: [{salt: hear}]
`,
  'orch/master.sls': `list:
  salt.runner:
    - name: jobs.active
deploy:
  salt.runner:
    - name: state.orchestrate
    - mods: orch.deploy
    - require: [{salt: list}]
keys:
  salt.wheel:
    - name: key.list_all
    - require: [{salt: deploy}]
`,
}

/** How the state is called that takes a turn, and the one between two turns. */
const TURN = 'Take a turn'
const WAIT = 'Wait until a step ends'

/** Milliseconds for what takes many turns. */
const patience = 240_000

/** Their tests need `lb01` and `web01`. */
export function orchestrationStories(there: () => OrchestrationStage): void {
  const orchestrate = async (mods: string): Promise<string> => {
    const { jid } = await there().stage.world.connection.run({
      client: 'runner',
      fun: 'state.orchestrate',
      arg: [mods],
      kwarg: {},
      async: true,
    })
    await waitFor('its record', async () => ((await steps(jid)) === undefined ? undefined : true))
    return jid
  }
  /** How each step stands; undefined where there is no such orchestration yet. */
  const steps = async (jid: string): Promise<Record<string, string> | undefined> => {
    const { connection } = there().stage.world
    const { return: shown, success } = await connection.run({
      client: 'runner',
      fun: 'orch.show',
      arg: [jid],
      kwarg: {},
    })
    if (success === false) return undefined
    const found = (shown as unknown as { steps: { id: string; state: string }[] }).steps
    return Object.fromEntries(found.map(({ id, state }) => [id, state]))
  }
  const stands = (jid: string, id: string, state: string) =>
    waitFor(`${id} to be ${state}`, async () => ((await steps(jid))?.[id] === state ? true : undefined), patience)
  const change = (fun: string, ...arg: string[]) =>
    there().stage.world.connection.run({ client: 'runner', fun, arg, kwarg: {} })
  const endOf = async (jid: string): Promise<{ success: unknown }> => {
    const { data } = await there().stage.world.waitForEvent({ tag: `salt/run/${jid}/ret` }, patience)
    return { success: data.success }
  }
  const ended = (name: string, status: string) =>
    waitFor(
      `the execution ${name} to be ${status}`,
      async () => ((await there().machine.status(name)) === status ? true : undefined),
      patience,
    )
  /** Each turn but the last is followed by a wait; how many there are is chance, for a step may end while one is taken. */
  const turnsAndWaits = async (jid: string): Promise<void> => {
    const { [TURN]: turns = 0, [WAIT]: waits = 0 } = await there().machine.states(jid)
    expect(turns).toBeGreaterThan(0)
    expect(waits).toBe(turns - 1)
  }

  describe('orchestrations in the state machine', { timeout: 900_000 }, () => {
    it('drain, deploy, smoke-test, add back, and print as embedded', async () => {
      const { stage, machine } = there()
      const { exit, stdout } = await stage.run('state.orchestrate', 'orch.deploy')
      expect(stage.log()).toEqual(DEPLOYED)
      expect(stdout).toMatch(/Succeeded: 4 \(changed=4\)\nFailed: {4}0/)
      expect(exit).toBe(0)
      const list = await stage.run('orch.list', '--out=json')
      const [jid = ''] = Object.keys(JSON.parse(list.stdout) as object)
      await ended(jid, 'SUCCEEDED')
      expect(await machine.input(jid)).toEqual({ jid, sls: 'orch.deploy', user: 'root', part: 1, turns: 0 })
      await turnsAndWaits(jid)
    })

    it('halt where the smoke test fails, and leave web01 out', async () => {
      const { stage } = there()
      stage.empty()
      stage.program('smoke-test.sh', 'exit 1\n')
      const { exit, stdout } = await stage.run('state.orchestrate', 'orch.deploy')
      stage.program('smoke-test.sh')
      expect(stage.log()).toEqual(DEPLOYED.slice(0, 3))
      expect(stdout).toContain('Comment: One or more requisite failed: orch.deploy.run_smoke_tests')
      expect(stdout).toMatch(/Failed: {4}2/)
      expect(exit).toBe(1)
      const list = await stage.run('orch.list', '--out=json')
      await ended(Object.keys(JSON.parse(list.stdout) as object)[0] ?? '', 'FAILED')
    })

    it('wait for events, which wake them', async () => {
      const { stage, machine } = there()
      const { connection } = stage.world
      stage.empty()
      const from = stage.world.mark()
      await connection.fire('my/go/before', { id: 'a' })
      await stage.world.waitForEvent({ tag: 'my/go/before', from })
      const jid = await orchestrate('orch.wait')
      await stands(jid, 'hear', 'running')
      await waitFor('the wait', async () => (((await machine.states(jid))[WAIT] ?? 0) > 0 ? true : undefined))
      await connection.fire('my/go/1', { id: 'a' })
      await connection.fire('my/gone', { id: 'b' })
      await connection.fire('my/go/2', { id: 'b' })
      expect(await endOf(jid)).toEqual({ success: true })
      expect(stage.log()).toEqual(['deploy-app then'])
      await ended(jid, 'SUCCEEDED')
      expect((await machine.states(jid))['Every step went well']).toBe(1)
    })

    it('run runners, wheel functions and orchestrations, each where it may take its time', async () => {
      const { stage } = there()
      stage.empty()
      const jid = await orchestrate('orch.master')
      expect(await endOf(jid)).toEqual({ success: true })
      expect(await steps(jid)).toEqual({ list: 'done', deploy: 'done', keys: 'done' })
      expect(stage.log()).toEqual(DEPLOYED)
      await ended(jid, 'SUCCEEDED')
      await turnsAndWaits(jid)
    })

    it('are begun by a reactor, with what it forwards of the event', async () => {
      const { world } = there().stage
      const from = world.mark()
      await world.connection.fire('foo', { data: { bar: 'baz' } })
      const begun = await world.waitForEvent({ tag: 'salt/run/*/new', has: { user: 'Reactor' }, from })
      const told = await world.waitForEvent({ tag: `salt/run/${begun.data.jid}/ret`, from })
      expect(JSON.stringify(told.data)).toContain('foo with baz')
      expect(told.data.success).toBe(true)
    })

    it('pause before a step, and go on from there', async () => {
      const { stage } = there()
      stage.empty()
      const deployment = stage.hold('deploy-app')
      const jid = await orchestrate('orch.deploy')
      await change('state.pause', jid, 'run_smoke_tests')
      deployment.letGo()
      await stands(jid, 'run_smoke_tests', 'paused')
      await stands(jid, 'deploy_app', 'done')
      expect(stage.log()).toEqual(DEPLOYED.slice(0, 2))
      expect((await change('orch.resume', jid)).return).toBe(true)
      expect(await endOf(jid)).toEqual({ success: true })
      expect(stage.log()).toEqual(DEPLOYED)
    })

    it('start nothing more once they are cancelled, and wait for what runs', async () => {
      const { stage } = there()
      stage.empty()
      const deployment = stage.hold('deploy-app')
      const jid = await orchestrate('orch.deploy')
      await stands(jid, 'deploy_app', 'running')
      expect((await change('orch.cancel', jid)).return).toBe(true)
      deployment.letGo()
      await endOf(jid)
      stage.program('deploy-app')
      expect(stage.log()).toEqual(DEPLOYED.slice(0, 2))
      expect(await steps(jid)).toMatchObject({ deploy_app: 'done', run_smoke_tests: 'not run', add_to_lb: 'not run' })
      await ended(jid, 'FAILED')
      expect((await change('orch.cancel', jid)).return).toBe(false)
    })

    it('go on in a new execution after a thousand turns, and two at once run no step twice', async () => {
      const { stage, machine } = there()
      stage.empty()
      const jid = await orchestrate('orch.wait')
      await stands(jid, 'hear', 'running')
      await machine.start(`${jid}-late`, { jid, sls: 'orch.wait', user: 'root', part: 1, turns: 998 })
      await ended(`${jid}-late`, 'SUCCEEDED')
      expect((await machine.states(`${jid}-late`))['Go on in a new execution']).toBe(1)
      expect(await machine.input(`${jid}-2`)).toMatchObject({ jid, part: 2, turns: 0 })
      for (const id of ['a', 'b']) await stage.world.connection.fire('my/go/1', { id })
      expect(await endOf(jid)).toEqual({ success: true })
      for (const name of [jid, `${jid}-2`]) await ended(name, 'SUCCEEDED')
      expect(stage.log()).toEqual(['deploy-app then'])
    })

    it('stop where a person ends the execution, and go on where one asks for it', async () => {
      const { stage, machine } = there()
      stage.empty()
      const jid = await orchestrate('orch.wait')
      await stands(jid, 'hear', 'running')
      await machine.stop(jid)
      for (const id of ['a', 'b']) await stage.world.connection.fire('my/go/1', { id })
      const followed = stage.start('orch.follow', jid)
      expect(await endOf(jid)).toEqual({ success: true })
      await ended(`${jid}-2`, 'SUCCEEDED')
      expect(await machine.status(jid)).toBe('ABORTED')
      expect(stage.log()).toEqual(['deploy-app then'])
      await waitFor('what it says', () => (followed.stdout().includes('Succeeded: 2') ? true : undefined))
    })

    it('end although the log dies and nobody wakes them', async () => {
      const { stage } = there()
      const { outputs } = stage.world.stack
      stage.empty()
      const rules = await rulesOf(outputs.BusName ?? '')
      const rule = { Name: rules.find(({ queue }) => queue.includes('LogQueue'))?.name, EventBusName: outputs.BusName }
      await events.send(new DisableRuleCommand(rule))
      try {
        const jid = await orchestrate('orch.deploy')
        await stands(jid, 'add_to_lb', 'done')
        await ended(jid, 'SUCCEEDED')
        expect(stage.log()).toEqual(DEPLOYED)
        await turnsAndWaits(jid)
      } finally {
        await events.send(new EnableRuleCommand(rule))
      }
    })
  })
}
