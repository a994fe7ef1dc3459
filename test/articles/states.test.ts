// ARTICLES.md, C, E and H: states. Each test is a step, named by its number.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APACHE, DEPLOY, HIGHSTATE, MAP, REACTOR_CONF } from './deploy-files.ts'
import { event, JID, JID2, type Stage, setStage, type Terminal } from './stage.ts'

let stage: Stage
let W: Terminal

const REACTORS = `${REACTOR_CONF}  - 'salt/minion/web01/start':
    - /srv/reactor/minion_start.sls
  - 'myapp/deploy/complete':
    - /srv/reactor/deployed.sls
`
const MINION_START = `apply_highstate:
  local.state.highstate:
    - tgt: {{ data['id'] }}
`
const DEPLOYED = `tell:
  local.test.arg:
    - tgt: {{ data['id'] }}
    - arg:
      - {{ data['data']['version'] }}
`
const NOTIFY_DEPLOY = `notify_deploy_complete:
  module.run:
    - name: event.send
    - tag: myapp/deploy/complete
    - data:
        version: {{ pillar['app_version'] }}
        status: ok
`
/** What of the article's apptest needs neither packages, services nor repositories. */
const VERSIONED = `{% set version = salt.pillar.get('version', 'master') %}
{% from "apache/map.sls" import apache with context %}

{{ apache.pkg }}-{{ version }}:
  test.succeed_with_changes

notify_of_fail:
  event.send:
    - name: apptest/failed
    - onfail:
      - test: {{ apache.pkg }}-{{ version }}
`
const CUSTOM_MODULE = `export async function do_something({ salt }) {
  await salt['event.send']('myco/my_custom_module/finished', { finished: true, message: 'The something is finished!' })
  return true
}
`

beforeAll(async () => {
  stage = await setStage({ master: 'auto_accept: True\nstate_events: True\n' })
  await stage.stopMaster()
  stage.write('etc/brine/master.d/reactor.conf', REACTORS)
  stage.write('srv/reactor/highstate.sls', HIGHSTATE)
  stage.write('srv/reactor/deploy_testapp.sls', DEPLOY)
  stage.write('srv/reactor/minion_start.sls', MINION_START)
  stage.write('srv/reactor/deployed.sls', DEPLOYED)
  stage.write('srv/salt/notify_deploy.sls', NOTIFY_DEPLOY)
  stage.write('srv/salt/apache/map.sls', MAP)
  stage.write('srv/salt/apache/init.sls', APACHE)
  stage.write('srv/salt/apptest.sls', VERSIONED)
  stage.write('srv/pillar/top.sls', "base:\n  'web*':\n    - web\n")
  stage.write('srv/pillar/web.sls', 'app_version: 1.4.2\n')
  await stage.startMaster()
  W = await stage.terminal()
  await stage.join('ubuntuAsus')
}, 180_000)
afterAll(() => stage.close())

describe('states', { timeout: 180_000 }, () => {
  it('19: a custom module fires an event when it is done', async () => {
    stage.write('srv/salt/_modules/my_custom_module.mjs', CUSTOM_MODULE)
    const synced = await stage.shell("brine 'ubuntuAsus' saltutil.sync_modules")
    expect(synced.stdout).toBe('ubuntuAsus:\n    - modules.my_custom_module\n')
    const from = W.mark()
    await stage.shell("brine '*' my_custom_module.do_something")
    const data = { finished: true, message: 'The something is finished!' }
    await W.shows([event('myco/my_custom_module/finished', { id: 'ubuntuAsus', data })], from)
    stage.write('srv/salt/_modules/other.py', 'def f(): pass\n')
    const refused = await stage.shell("brine 'ubuntuAsus' saltutil.sync_modules")
    expect(refused.stdout).toContain('Write it in JavaScript as _modules/other.mjs')
  })

  it('30: a custom event leads to a highstate without a top file', async () => {
    const from = W.mark()
    await stage.shell('brine-call event.send instar/custom/event', { at: 'ubuntuAsus' })
    const nothing = {
      name: 'No States',
      result: false,
      __run_num__: 0,
      changes: {},
      comment: 'No Top file or master_tops data matches found. Please see master log for details.',
    }
    const highstate = { fun: 'state.highstate', jid: JID2 }
    await W.shows(
      [
        event('instar/custom/event', { id: 'ubuntuAsus' }),
        event(JID2, { minions: ['ubuntuAsus'] }),
        event(`salt/job/${JID2}/new`, { ...highstate, arg: [], tgt: 'ubuntuAsus' }),
        event('salt/auth', { id: 'ubuntuAsus', act: 'accept' }),
        event('minion/refresh/ubuntuAsus', { 'Minion data cache refresh': 'ubuntuAsus' }),
        event(`salt/job/${JID2}/ret/ubuntuAsus`, {
          ...highstate,
          out: 'highstate',
          retcode: 2,
          success: false,
          return: { 'no_|-states_|-states_|-None': nothing },
        }),
        event('no.None', { ...nothing, retcode: 2 }),
      ],
      from,
    )
  })

  it('31 and 32: pillar and mods from the command line', async () => {
    const development = await stage.shell("brine '*' state.sls apptest pillar='{version: development}'")
    expect(development.stdout).toContain('ID: apache2-development')
    const standard = await stage.shell("brine '*' state.sls mods=apptest")
    expect(standard.stdout).toContain('ID: apache2-master')
    expect(standard.exit).toBe(0)
  })

  it('33: an event hands its data on as pillar', async () => {
    const from = W.mark()
    await stage.shell('brine-call event.send instar/deploy/testapp version=master', { at: 'ubuntuAsus' })
    const kwarg = { mods: 'apptest', pillar: { version: 'master' } }
    await W.shows(
      [
        event('instar/deploy/testapp', { data: { version: 'master' } }),
        event(`salt/job/${JID}/new`, { fun: 'state.sls', jid: JID, arg: [{ __kwarg__: true, ...kwarg }] }),
        event('minion/refresh/ubuntuAsus', {}),
        event(`salt/job/${JID}/ret/ubuntuAsus`, {
          fun: 'state.sls',
          fun_args: [kwarg],
          jid: JID,
          out: 'highstate',
          retcode: 0,
          success: true,
          return: {
            'event_|-notify_of_fail_|-apptest/failed_|-send': {
              __run_num__: 1,
              __state_ran__: false,
              comment: 'State was not run because onfail req did not change',
              result: true,
            },
          },
        }),
      ],
      from,
    )
    expect(JSON.stringify(W.events(from))).not.toContain('state.highstate')
  })

  it('35: each state that ends is told', async () => {
    const from = W.mark()
    await stage.shell("brine '*' state.sls apptest")
    const progress = (number: number, id: string) =>
      event(`salt/job/${JID}/prog/ubuntuAsus/${number}`, {
        id: 'ubuntuAsus',
        jid: JID,
        data: { len: 2, ret: { __run_num__: number, __id__: id } },
      })
    const started = event(`salt/job/${JID}/new`, { fun: 'state.sls', jid: JID, arg: ['apptest'] })
    await W.shows([started, progress(0, 'apache2-master'), progress(1, 'notify_of_fail')], from)
  })

  it('54: an accepted minion starts and gets its highstate', async () => {
    const from = W.mark()
    stage.write('srv/salt/top.sls', "base:\n  'web*':\n    - ready\n")
    stage.write('srv/salt/ready.sls', 'ready: test.nop\n')
    await stage.join('web01')
    await W.shows(
      [
        event('salt/minion/web01/start', { id: 'web01' }),
        event(`salt/job/${JID}/new`, { fun: 'state.highstate', jid: JID, tgt: 'web01' }),
        event(`salt/job/${JID}/ret/web01`, { fun: 'state.highstate', jid: JID, retcode: 0, success: true }),
      ],
      from,
    )
  })

  it('58: a state tells that a deployment is complete, and a reactor reacts', async () => {
    const from = W.mark()
    const applied = await stage.shell("brine 'web01' state.apply notify_deploy")
    expect(applied.exit).toBe(0)
    await W.shows(
      [
        event('myapp/deploy/complete', { id: 'web01', data: { version: '1.4.2', status: 'ok' } }),
        event(`salt/job/${JID}/new`, { fun: 'test.arg', arg: ['1.4.2'], jid: JID, tgt: 'web01' }),
      ],
      from,
    )
    expect((await stage.shell("brine -I 'app_version:1.4.2' test.ping")).stdout).toBe('web01:\n    True\n')
    expect((await stage.shell("brine 'ubuntuAsus' pillar.get app_version")).stdout).toBe('ubuntuAsus:\n')
  })
})
