// What is said of a Salt master's keys and files: every key of Salt's has a verdict, every state and function its place.
import { describe, expect, it } from 'vitest'
import { masterKeys } from '../config/master-keys.ts'
import { saltOnlyKeys } from '../config/salt-only-keys.ts'
import { configFindings } from './config-findings.ts'
import { type Known, slsFindings } from './sls-findings.ts'

const known: Known = {
  execution: new Set(['pillar.get', 'cmd.run', 'grains.get', 'own.*']),
  states: new Set(['pkg.installed', 'service.running', 'module.run', 'mystate.*']),
  runner: new Set(['state.orchestrate']),
  wheel: new Set(['key.accept']),
}

const shown = (text: string): string[] =>
  configFindings([{ name: 'master', text }]).map(({ verdict, line, subject }) => `${verdict} ${line ?? ''} ${subject}`)

describe('a configuration', () => {
  it.each([
    ['timeout: 5', ['works 1 timeout']],
    ['worker_threads: 5', ['unneeded 1 worker_threads']],
    ['gitfs_remotes: [x]', ['missing 1 gitfs_remotes']],
    ['engines:\n  - logstash: {}', ['missing 1 engines']],
    ['open_mode: True', ['differs 1 open_mode']],
    ['autosign_file: /etc/salt/autosign.conf', ['works 1 autosign_file']],
    ['file_ignore_glob: ["*.pyc"]', ['works 1 file_ignore_glob']],
    ['file_ignore_regex: "("', ['differs 1 file_ignore_regex']],
    ['job_cache: True', ['unneeded 1 job_cache']],
    ['reactor_worker_threads: 20', ['unneeded 1 reactor_worker_threads']],
    ['timeot: 5', ['differs 1 timeot']],
    ['mine_interval: 5', ['differs 1 mine_interval']],
    ['mysql.host: db', ['works 1 mysql.host']],
    ['fileserver_backend: [roots]', ['unneeded 1 fileserver_backend']],
    ['fileserver_backend: [roots, gitfs]', ['missing 1 fileserver_backend']],
    ['renderer: jinja|yaml', ['unneeded 1 renderer']],
    ['renderer: mako|yaml', ['missing 1 renderer']],
    ['master_job_cache: local_cache', ['unneeded 1 master_job_cache']],
    ['master_job_cache: mysql', ['missing 1 master_job_cache']],
    ['ext_pillar:\n  - ssm: {path: /x}', ['works 1 ext_pillar']],
    ['ext_pillar:\n  - cmd_yaml: x', ['missing 1 ext_pillar']],
    ['\nexternal_auth:\n  pam: {a: []}\n  file: {a: []}', ['works 2 external_auth', 'missing 2 external_auth: pam']],
    ['a: [', ['differs 2 file']],
  ])('%j', (text, expected) => {
    expect(shown(text)).toEqual(expected)
  })

  it('knows every key of Salt’s', () => {
    const text = [...saltOnlyKeys.keys(), ...Object.keys(masterKeys)].map((key) => `${key}:`).join('\n')
    const verdicts = new Set(configFindings([{ name: 'master', text }]).map(({ message }) => message))
    expect([...verdicts].filter((message) => message.startsWith('Neither'))).toEqual([])
  })
})

describe('an SLS file', () => {
  const findings = (text: string): string[] =>
    slsFindings('x.sls', text, 'state', known).map(({ verdict, line, subject }) => `${verdict} ${line} ${subject}`)

  it.each([
    ['a:\n  pkg.installed: []\n', ['works 2 state pkg.installed']],
    ['a:\n  pkg.latest:\n    - name: x\n', ['missing 2 state pkg.latest']],
    ['a:\n  service:\n    - running\n', ['works 2 state service.running']],
    ['a:\n  mysql_user.present: []\n', ['missing 2 state mysql_user.present']],
    ['a:\n  mystate.anything: []\n', ['works 2 state mystate.anything']],
    ['nginx.conf:\n  pkg.installed:\n    - name: nginx.conf\n', ['works 2 state pkg.installed']],
    ['a:\n  pkg.installed:\n    - pkgs:\n      - libx.so\n', ['works 2 state pkg.installed']],
    ['{# a:\n  pkg.latest: [] #}\nb:\n  pkg.installed\n', ['works 4 state pkg.installed']],
    ["{% set a = salt['mysql.query']('x') %}\n", ['missing 1 function mysql.query']],
    [
      "a: {{ salt['own.fun']() }} {{ salt.pillar.get('b') }}",
      ['works 1 function own.fun', 'works 1 function pillar.get'],
    ],
    ['r:\n  module.run:\n    - name: boto.x\n', ['works 2 state module.run', 'missing 3 function boto.x']],
    ['r:\n  module.run:\n    - cmd.run:\n      - cmd: ls\n', ['works 2 state module.run', 'works 3 function cmd.run']],
    [
      'r:\n  salt.runner:\n    - name: cloud.x\ns:\n  salt.wheel:\n    - name: key.accept\n',
      ['works 2 state salt.runner', 'missing 3 runner cloud.x', 'works 5 state salt.wheel', 'works 6 wheel key.accept'],
    ],
    ['#!py\ndef run():\n  return {}\n', ['missing 1 template']],
    ['{% if x %}\n', ['missing 1 template']],
  ])('%j', (text, expected) => {
    expect(findings(text)).toEqual(expected)
  })

  it('names the nearest function', () => {
    const [finding] = slsFindings('x', "{{ salt['pillar.gett']() }}", 'pillar', known)
    expect(finding?.message).toContain('The nearest is pillar.get.')
  })
})
