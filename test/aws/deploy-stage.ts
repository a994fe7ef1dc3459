// The article's orchestration on AWS: a stack with its files, a balancer and a web server as real processes, and what they ran.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programPath } from '../system/built.ts'
import { type Background, type Ended, runProgram, startProgram } from '../system/process.ts'
import { waitFor } from '../system/wait.ts'
import { emulatorClients } from './resources.ts'
import { type AwsWorld, awsWorld } from './world.ts'

/** The stage. */
export interface DeployStage {
  readonly world: AwsWorld
  /** What the programs were called with since it was emptied, a line a call. */
  log(): string[]
  empty(): void
  /** A program of the minions', which notes its call first. */
  program(name: string, more?: string): void
  /** The same program, whose calls end only once they are let go. */
  hold(name: string): { letGo(): void }
  /** `brine-run ARGS` against the stack. */
  run(...args: string[]): Promise<Ended>
  start(...args: string[]): Background
  close(): Promise<void>
}

const example = (path: string): string =>
  readFileSync(new URL(`../../examples/orchestration/srv/${path}`, import.meta.url), 'utf8')

/** Deploys and joins `lb01`, which is the balancer, and `web01`. `files` are further ones of `salt://`. */
export async function setDeployStage(name: string, files: Readonly<Record<string, string>>): Promise<DeployStage> {
  const root = mkdtempSync(join(tmpdir(), 'brine-orch-aws-'))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const texts = {
    'app/deploy.sls': example('salt/app/deploy.sls'),
    'orch/deploy.sls': example('salt/orch/deploy.sls').replace('/opt/app/bin/', `${root}/bin/`),
    'orchestrate/deploy_app.sls': example('salt/orchestrate/deploy_app.sls'),
    ...files,
  }
  for (const [path, text] of Object.entries(texts)) write(`srv/${path}`, text)
  let holds = 0
  const program = (file: string, more = ''): void => {
    write(`bin/${file}`, `#!/bin/sh\necho "${file} $*" >> '${root}/deploy.log'\n${more}`)
    chmodSync(join(root, 'bin', file), 0o755)
  }
  for (const file of ['haproxy-disable', 'haproxy-enable', 'deploy-app', 'smoke-test.sh']) program(file)
  const hold = (file: string): { letGo(): void } => {
    const gate = join(root, `go-${holds++}`)
    program(file, `for n in $(seq 6000); do [ -e '${gate}' ] && exit 0; sleep 0.1; done\nexit 1\n`)
    return { letGo: () => writeFileSync(gate, '') }
  }
  write('deploy.log', '')
  write('reactors/reactor.conf', "reactor:\n  - 'foo':\n    - /srv/reactor/deploy_app.sls\n")
  write('reactors/deploy_app.sls', example('reactor/deploy_app.sls'))
  const world = await awsWorld(name, {
    fileRoots: join(root, 'srv'),
    reactors: join(root, 'reactors'),
    settings: '{"gather_job_timeout": 60}',
  })
  const PATH = `${join(root, 'bin')}:${process.env.PATH}`
  for (const id of ['lb01', 'web01']) {
    world.startMinion(id, { PATH })
    await world.waitForEvent({ tag: 'salt/auth', has: { id, act: 'pend' } })
    await world.connection.keys({ act: 'accept', match: id })
    await world.waitForEvent({ tag: `salt/minion/${id}/start` })
  }
  const grain = { tgt: 'lb01', fun: 'grains.setval', arg: ['role', 'loadbalancer'] }
  const { jid } = await world.connection.publish(grain)
  await world.waitForEvent({ tag: `salt/job/${jid}/ret/lb01` })
  await waitFor('the grain', async () => {
    const found = await world.connection.publish({ tgt: 'role:loadbalancer', tgt_type: 'grain', fun: 'test.ping' })
    return found.minions.length > 0 ? true : undefined
  })
  const env = { AWS_ENDPOINT_URL: emulatorClients().endpoint, BRINE_STACK: world.stack.name }
  const words = (args: readonly string[]): string[] => [programPath('brine-run'), ...args]
  let started = 0
  return {
    world,
    log: () => readFileSync(join(root, 'deploy.log'), 'utf8').split('\n').filter(Boolean),
    empty: () => write('deploy.log', ''),
    program,
    hold,
    run: (...args) => runProgram(process.execPath, words(args), { env, timeout: 240_000 }),
    start: (...args) => startProgram(process.execPath, words(args), join(root, `run-${started++}`), { env }),
    async close() {
      await world.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
