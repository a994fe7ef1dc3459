// Running programs, with a shell where one is asked for.
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMapping, type Mapping, pythonStr, type Value } from '../../core/value/index.ts'
import type { Arguments } from './arguments.ts'
import { type CommandResult, isLogged, logFailure, runCommand, which } from './cmd-run.ts'
import { runScript } from './cmd-script.ts'
import { CommandExecutionError } from './errors.ts'
import { type Call, define, type ExecutionModule, examples } from './module.ts'
import { accountByName } from './users.ts'

const plain = 'cwd=None, stdin=None, runas=None, group=None, shell=None'
const rest =
  "env=None, clean_env=False, template=None, rstrip=True, umask=None, output_encoding=None, output_loglevel='debug', log_callback=None, hide_output=False, timeout=None, reset_system_locale=True, ignore_retcode=False, saltenv=None, use_vt=False"
const last =
  'password=None, encoded_cmd=False, prepend_path=None, success_retcodes=None, success_stdout=None, success_stderr=None, **kwargs'

const script =
  "umask=None, output_encoding=None, output_loglevel='debug', log_callback=None, hide_output=False, timeout=None, reset_system_locale=True, saltenv=None, use_vt=False, bg=False, password=None, success_retcodes=None, success_stdout=None, success_stderr=None, **kwargs"

const options = `

cwd
    The directory to run in; the user's home where none is given.
runas, group
    The user and the group to run as.
stdin
    Text for the command's input.
shell
    The shell, where one is used.
python_shell
    False runs the words as they are, without a shell. From the command line the default is True.
env, clean_env, prepend_path
    Variables to set; start from nothing; what to put before PATH.
umask, timeout
    The mask in octal; seconds until the command is killed.
ignore_retcode
    Do not take the command's return code for the job's.
success_retcodes, success_stdout, success_stderr
    Return codes and texts that mean success although the code is not 0.`

const result = (done: CommandResult, args: Arguments): Mapping => ({
  pid: done.pid,
  retcode: done.retcode,
  stdout: args.is('hide_output') ? '' : done.stdout,
  stderr: args.is('hide_output') ? '' : done.stderr,
})

async function run(args: Arguments, call: Call, shell?: boolean): Promise<string> {
  const mergeStderr = args.value('redirect_stderr') !== false
  const done = await runCommand(args, call, { mergeStderr, ...(shell === undefined ? {} : { shell }) })
  if (isLogged(args, done)) {
    logFailure(args, call, done)
    call.agent.outside.log.error(`output: ${done.stdout}`)
  }
  if (args.is('raise_err') && done.retcode !== 0 && !args.is('ignore_retcode')) {
    throw new CommandExecutionError(args.is('hide_output') ? '' : done.stdout)
  }
  return args.is('hide_output') ? '' : done.stdout
}

/** Writes the code to a file only its user can read, runs it, removes it. */
async function execCode(args: Arguments, call: Call): Promise<Mapping> {
  const directory = await mkdtemp(join(tmpdir(), 'brine-code-'))
  try {
    const file = join(directory, 'code')
    await writeFile(file, args.text('code'), { mode: 0o600 })
    const runas = args.keywords.runas
    const account = typeof runas === 'string' ? await accountByName(runas) : undefined
    if (account !== undefined) {
      await chown(file, account.uid, account.gid)
      await chown(directory, account.uid, account.gid)
    }
    const more = args.value('args')
    const words = [
      args.text('lang'),
      file,
      ...(Array.isArray(more) ? more.map(pythonStr) : more === null ? [] : [pythonStr(more)]),
    ]
    const done = await call.salt('cmd.run_all', [words], {
      ...args.cleanKeywords,
      cwd: args.value('cwd'),
      python_shell: false,
    })
    return isMapping(done) ? done : {}
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function tty(device: string, text: string): Promise<Mapping> {
  const path = device.startsWith('tty')
    ? `/dev/${device}`
    : device.startsWith('pts')
      ? `/dev/${device.replace('pts', 'pts/')}`
      : undefined
  if (path === undefined || !/^\/dev\/(tty|pts\/)\w*$/.test(path))
    return { Error: 'The specified device is not a valid TTY' }
  try {
    await writeFile(path, text, { flag: 'r+' })
    return { Success: `Message was successfully echoed to ${path}` }
  } catch {
    return { Error: `Echoing to ${path} returned error` }
  }
}

async function shells(): Promise<Value> {
  try {
    const lines = (await readFile('/etc/shells', 'utf8')).split('\n').map((line) => line.trim())
    return lines.filter((line) => line !== '' && !line.startsWith('#'))
  } catch {
    return []
  }
}

/** Salt's `cmd` module. */
export const cmd: ExecutionModule = {
  name: 'cmd',
  file: 'cmdmod',
  functions: {
    run: define(
      `cmd, ${plain}, python_shell=None, ${rest}, redirect_stderr=True, bg=False, raise_err=False, ${last}`,
      `Run a command and return what it prints, its errors among it.${options}${examples(`brine '*' cmd.run "ls -l | awk '/foo/{print \\$2}'"`, "brine '*' cmd.run cmd='sed -e s/=/:/g'")}`,
      (args, call) => run(args, call),
      { resumable: true },
    ),
    shell: define(
      `cmd, ${plain}, ${rest}, redirect_stderr=True, bg=False, ${last}`,
      `Run a command in a shell and return what it prints.${options}${examples(`brine '*' cmd.shell "ls -l | grep foo"`)}`,
      (args, call) => run(args, call, true),
      { resumable: true },
    ),
    run_stdout: define(
      `cmd, ${plain}, python_shell=None, ${rest}, ${last}`,
      `Run a command and return its standard output alone.${options}${examples(`brine '*' cmd.run_stdout "ls -l"`)}`,
      async (args, call) => result(await runCommand(args, call, { mergeStderr: false }), args).stdout ?? '',
      { resumable: true },
    ),
    run_stderr: define(
      `cmd, ${plain}, python_shell=None, ${rest}, ${last}`,
      `Run a command and return its standard error alone.${options}${examples(`brine '*' cmd.run_stderr "ls /nosuch"`)}`,
      async (args, call) => result(await runCommand(args, call, { mergeStderr: false }), args).stderr ?? '',
      { resumable: true },
    ),
    run_all: define(
      `cmd, ${plain}, python_shell=None, ${rest}, redirect_stderr=False, ${last}`,
      `Run a command and return its output, its errors, its return code and its process id.${options}${examples(`brine '*' cmd.run_all "ls -l"`)}`,
      async (args, call) =>
        result(await runCommand(args, call, { mergeStderr: args.value('redirect_stderr') === true }), args),
      { resumable: true },
    ),
    retcode: define(
      `cmd, ${plain}, python_shell=None, ${rest}, ${last}`,
      `Run a command and return its return code.${options}${examples(`brine '*' cmd.retcode "file /bin/bash"`)}`,
      async (args, call) => (await runCommand(args, call, { mergeStderr: true })).retcode,
      { resumable: true },
    ),
    run_bg: define(
      `cmd, ${plain}, python_shell=None, ${rest}, ${last}`,
      `Start a command in the background and return its process id.${options}${examples(`brine '*' cmd.run_bg "fstrim-all"`)}`,
      async (args, call) => ({ pid: (await runCommand(args, call, { mergeStderr: false, background: true })).pid }),
    ),
    script: define(
      `source, args=None, ${plain}, python_shell=None, env=None, template=None, ${script}`,
      `Get a script from the master (or from elsewhere), run it and return its output, errors, return code and process id.

source
    \`\`salt://…\`\`, \`\`http(s)://…\`\` or a path of the minion.
args
    What it is run with.
template
    \`\`jinja\`\`: render it first; \`\`context\`\` and \`\`defaults\`\` are what it sees.${options}${examples("brine '*' cmd.script salt://scripts/runme.sh", "brine '*' cmd.script salt://scripts/runme.sh 'arg1 arg2 \"arg 3\"'")}`,
      runScript,
    ),
    script_retcode: define(
      `source, args=None, ${plain}, python_shell=None, env=None, template='jinja', ${script}`,
      `Get a script, run it and return its return code.${options}${examples("brine '*' cmd.script_retcode salt://scripts/runme.sh")}`,
      async (args, call) => (await runScript(args, call)).retcode ?? 1,
    ),
    powershell: define(
      'cmd, **kwargs',
      `PowerShell is of Windows, where this minion's \`\`cmd\`\` is not tried: it fails and says so.${examples(`brine '*' cmd.powershell "$PSVersionTable.CLRVersion"`)}`,
      () => {
        throw new CommandExecutionError(
          'cmd.powershell is not available: this minion runs no PowerShell. Run pwsh by cmd.run where it is installed.',
        )
      },
    ),
    exec_code: define(
      'lang, code, cwd=None, args=None, **kwargs',
      `Run code in a language (the name of its interpreter) and return its standard output.${examples(`brine '*' cmd.exec_code ruby 'puts "cheese"'`, `brine '*' cmd.exec_code ruby 'puts "cheese"' args='["arg1", "arg2"]' env='{"FOO": "bar"}'`)}`,
      async (args, call) => (await execCode(args, call)).stdout ?? '',
    ),
    exec_code_all: define(
      'lang, code, cwd=None, args=None, **kwargs',
      `Run code in a language and return its output, errors, return code and process id.${examples(`brine '*' cmd.exec_code_all ruby 'puts "cheese"'`)}`,
      execCode,
    ),
    which: define(
      'cmd',
      `Return the path of a program, or None.${examples("brine '*' cmd.which cat")}`,
      async (args) => (await which(args.text('cmd'))) ?? null,
      { readOnly: true },
    ),
    which_bin: define(
      'cmds',
      `Return the path of the first program of a list that is there, or None.${examples("brine '*' cmd.which_bin '[pip2, pip, pip-python]'")}`,
      async (args) => {
        for (const program of args.texts('cmds')) {
          const found = await which(program)
          if (found !== undefined) return found
        }
        return null
      },
      { readOnly: true },
    ),
    has_exec: define(
      'cmd',
      `Return whether a program is there.${examples("brine '*' cmd.has_exec cat")}`,
      async (args) => (await which(args.text('cmd'))) !== undefined,
      { readOnly: true },
    ),
    tty: define(
      "device, echo=''",
      `Write text to a terminal.${examples("brine '*' cmd.tty tty0 'This is a test'", "brine '*' cmd.tty pts3 'This is a test'")}`,
      (args) => tty(args.text('device'), args.text('echo')),
    ),
    shells: define('', `List the shells of /etc/shells.${examples("brine '*' cmd.shells")}`, shells, {
      readOnly: true,
    }),
  },
}
