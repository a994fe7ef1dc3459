// Asks the runners and wheel functions of a real Salt master, and keeps what they answered:
// `npx tsx test/master/record-master.ts LAB PYTHON`. The lab's master runs, with its minions db1 and web-asg-1 accepted.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { elsewhere, keyFiles, masterVariants, pillarFiles, rootExtras, rootFiles } from './master-variants.ts'

const [lab, python] = process.argv.slice(2)
if (lab === undefined || python === undefined) throw new Error('usage: npx tsx test/master/record-master.ts LAB PYTHON')

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
for (const folder of ['salt', 'pillar', 'elsewhere']) rmSync(join(lab, 'srv', folder), { recursive: true, force: true })
write(join(lab, 'srv/salt'), rootFiles)
write(join(lab, 'srv/pillar'), pillarFiles)
write(join(lab, 'srv/elsewhere'), elsewhere)
mkdirSync(join(lab, 'srv/salt', rootExtras.directory), { recursive: true })
for (const [path, to] of Object.entries(rootExtras.links)) symlinkSync(to, join(lab, 'srv/salt', path))
for (const list of ['minions_pre', 'minions_rejected', 'minions_denied'])
  rmSync(join(lab, 'run/master/pki', list), { recursive: true, force: true })
for (const [list, keys] of Object.entries(keyFiles)) write(join(lab, 'run/master/pki', list), keys)

const program = `
import json, os, shutil, subprocess, sys
def without_pub(value):
    if isinstance(value, dict):
        return {k: without_pub(v) for k, v in value.items() if not str(k).startswith('__pub')}
    return value

import salt.config, salt.runner, salt.wheel
opts = salt.config.master_config(sys.argv[1])
opts['config_dir'] = os.path.dirname(sys.argv[1])
clients = {'runner': salt.runner.RunnerClient(opts), 'wheel': salt.wheel.WheelClient(opts)}
command = [sys.argv[2], '-c', opts['config_dir'], '--out', 'json']
out = sys.stdout
sys.stdout = sys.stderr
for line in sys.stdin:
    client, fun, *more = json.loads(line)
    arg = more[0] if more else []
    kwarg = more[1] if len(more) > 1 else {}
    try:
        # The lists of files are remembered in the process and in the cache.
        if fun.startswith('fileserver.'):
            shutil.rmtree(opts['cachedir'] + '/file_lists', ignore_errors=True)
            words = [str(a) for a in arg] + [f'{k}={v}' for k, v in kwarg.items()]
            told = {'return': json.loads(subprocess.check_output(command + [fun] + words)), 'success': True}
            out.write(json.dumps([client, fun, arg, kwarg, told]) + chr(10))
            continue
        ret = clients[client].cmd(fun, arg, kwarg=kwarg, print_event=False, full_return=True)
        said = ret.get('return')
        # Python's sets and a directory's entries have no order.
        if fun in ('minions.connected', 'cache.list'):
            said = sorted(said)
        # Of a failure only that it was one, of wrong arguments only what was wrong: the rest is Python's.
        if isinstance(said, str) and said.startswith('Exception occurred in'):
            said = said.split(': ')[0]
        if isinstance(said, str) and said.startswith(chr(10) + 'Passed invalid arguments'):
            said = said.split(chr(10))[1]
        told = {'return': without_pub(said), 'success': ret.get('success')}
    except BaseException as exc:
        told = {'raised': str(exc)}
    out.write(json.dumps([client, fun, arg, kwarg, told], default=repr) + chr(10))
    out.flush()
`
const asked = masterVariants.map((variant) => JSON.stringify(variant)).join('\n')
const told = execFileSync(
  python,
  ['-W', 'ignore', '-c', program, join(lab, 'etc/master/master'), join(dirname(python), 'salt-run')],
  {
    input: `${asked}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['pipe', 'pipe', 'ignore'],
  },
)
const shown = told
  .replaceAll(`${join(lab, 'srv/salt')}/`, '')
  .replaceAll(`${join(lab, 'srv/pillar')}/`, '')
  .replaceAll(join(lab, 'srv/salt'), 'file_roots')
  .replaceAll(join(lab, 'srv/pillar'), 'pillar_roots')
  .replaceAll(lab, 'LAB')
writeFileSync(join(import.meta.dirname, 'master-of-salt.jsonl'), shown)
process.stdout.write(`${told.trim().split('\n').length} answers recorded\n`)
