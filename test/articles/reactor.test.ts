// ARTICLES.md, C and F: the reactor's configuration and kinds of reactions. Each test is a step, named by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { event, JID, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

/** A reaction that tells its own file's name. */
const telling = (name: string) =>
  `tell_${name.replace(/\W/g, '_')}:\n  local.test.arg:\n    - tgt: ubuntuAsus\n    - arg:\n      - ${name}\n`
const told = (name: string) =>
  event(`salt/job/${JID}/new`, { fun: 'test.arg', arg: [name], jid: JID, tgt: 'ubuntuAsus' })

const LOCAL_CONF = `reactor:
  - 'instar/custom/*':
    - /srv/reactor/highstate.sls
`
const HIGHSTATE = `run_highstate:
  cmd.state.highstate:
    - tgt: 'ubuntuAsus'
`
const REACTOR_CONF = `reactor:                            # Master config section "reactor"

  - 'salt/minion/*/start':          # Match tag "salt/minion/*/start"
    - /srv/reactor/start.sls        # Things to do when a minion starts
    - /srv/reactor/monitor.sls      # Other things to do

  - 'salt/cloud/*/destroyed':       # Globs can be used to match tags
    - /srv/reactor/destroy/*.sls    # Globs can be used to match file names

  - 'myco/custom/event/tag':        # React to custom event tags
    - salt://reactor/mycustom.sls   # Reactor files can come from the salt fileserver

  - 'myco/minion/gone':
    - /srv/reactor/gone.sls
`
const GONE = `forget_minion:
  wheel.key.delete:
    - args:
      - match: {{ data['data']['id'] }}
`

async function restartMaster(): Promise<void> {
  await W.interrupt()
  await stage.stopMaster()
  await stage.startMaster()
  W = await stage.terminal()
}

beforeAll(async () => {
  stage = await setStage({ master: 'auto_accept: True\n' })
  W = await stage.terminal()
  await stage.join('ubuntuAsus')
}, 180_000)
afterAll(() => stage.close())

describe('the reactor', { timeout: 180_000 }, () => {
  it('29: is active after a restart', async () => {
    stage.write('srv/reactor/highstate.sls', HIGHSTATE)
    stage.write('etc/brine/master.d/local.conf', LOCAL_CONF)
    await restartMaster()
    const from = W.mark()
    await stage.shell('brine-call event.send instar/custom/event', { at: 'ubuntuAsus' })
    await W.shows(
      [
        event('instar/custom/event', { id: 'ubuntuAsus' }),
        event(`salt/job/${JID}/new`, { fun: 'state.highstate', arg: [], jid: JID, tgt: 'ubuntuAsus' }),
        event(`salt/job/${JID}/ret/ubuntuAsus`, {
          fun: 'state.highstate',
          fun_args: [],
          jid: JID,
          retcode: 2,
          success: false,
        }),
      ],
      from,
    )
  })

  it('39: each file of an entry reacts', async () => {
    for (const name of ['start.sls', 'monitor.sls', 'destroy/one.sls', 'destroy/two.sls'])
      stage.write(`srv/reactor/${name}`, telling(name))
    stage.write('srv/salt/reactor/mycustom.sls', telling('mycustom.sls'))
    stage.write('srv/reactor/gone.sls', GONE)
    stage.write('etc/brine/master.d/local.conf', '')
    stage.write('etc/brine/master.d/reactor.conf', REACTOR_CONF)
    await restartMaster()
    const from = W.mark()
    await stage.join('larry')
    await W.shows([event('salt/minion/larry/start', { id: 'larry' })], from)
    await W.shows([told('start.sls')], from)
    await W.shows([told('monitor.sls')], from)
  })

  it('40: each file of a glob reacts', async () => {
    const from = W.mark()
    await stage.shell('brine-run event.send salt/cloud/x/destroyed')
    await W.shows([told('destroy/one.sls')], from)
    await W.shows([told('destroy/two.sls')], from)
  })

  it('41: a file of the file server reacts', async () => {
    const from = W.mark()
    await stage.shell('brine-call event.send myco/custom/event/tag', { at: 'ubuntuAsus' })
    await W.shows([told('mycustom.sls')], from)
  })

  it('47: wheel.key.delete takes the key of a minion that is gone', async () => {
    const from = W.mark()
    await stage.stopMinion('larry')
    await stage.shell(`brine-call event.send myco/minion/gone '{id: larry}'`, { at: 'ubuntuAsus' })
    await W.shows([event('salt/key', { act: 'delete', id: 'larry', result: true })], from)
    expect((await stage.shell('brine-key -L')).stdout).not.toContain('larry')
  })
})
