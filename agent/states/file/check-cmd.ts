// `check_cmd` of the file states: a command that judges a file before it takes its place.
import { isMapping, type Mapping, pythonStr } from '../../../core/value/index.ts'
import type { Call } from '../../modules/module.ts'
import { defineState, slsExample } from '../state-module.ts'

/** What the state returns where the command refuses the file; undefined where it is content. */
export async function checkedBy(
  command: string,
  file: string,
  call: Call,
): Promise<(Mapping & { result: false; comment: string }) | undefined> {
  const { shell } = call.agent.grains.all()
  const options = typeof shell === 'string' ? { shell } : {}
  const before = call.context.retcode
  const done = await call.salt('cmd.run_all', [`${command} ${file}`], { ...options, ignore_retcode: true })
  call.context.retcode = before
  const { retcode = 1, stdout = '', stderr = '' } = isMapping(done) ? done : {}
  if (retcode === 0) return undefined
  const said = [stdout, stderr].map(pythonStr).filter((text) => text !== '')
  return { comment: ['check_cmd execution failed', ...said].join('\n'), skip_watch: true, result: false }
}

/** That it is there tells the engine that these states ask their `check_cmd` themselves. */
export const modRunCheckCmd = defineState(
  'cmd, filename, **check_cmd_opts',
  `What \`\`check_cmd\`\` of \`\`file.managed\`\` and \`\`file.serialize\`\` runs: the command with the file's path behind it.${slsExample(`
/etc/sudoers.d/web:
  file.managed:
    - source: salt://web/sudoers
    - check_cmd: /usr/sbin/visudo -c -f`)}`,
  async (args, call) => {
    const refusal = await checkedBy(args.text('cmd'), args.text('filename'), call)
    return { name: args.text('filename'), changes: {}, result: true, comment: '', ...refusal }
  },
)
