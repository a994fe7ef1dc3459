// Giving the machine another name.
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { writeWhole } from '../filesystem/write.ts'
import { needProgram, which } from './cmd-run.ts'
import { SaltInvocationError } from './errors.ts'
import type { Call } from './module.ts'
import { succeeds } from './program.ts'

/**
 * Names the machine: now and at its next start, and in /etc/hosts wherever the old name stood. False where the program
 * that does it refuses. `etc` is where the files are.
 */
export async function nameMachine(call: Call, name: string, etc = '/etc'): Promise<boolean> {
  if (!/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(name) || name.length > 253)
    throw new SaltInvocationError(`'${name}' is no host name: letters, digits, dots and hyphens make one.`)
  const before = hostname()
  const hasSystemd = (await which('hostnamectl')) !== undefined
  if (!hasSystemd) await needProgram('hostname')
  if (!(await succeeds(call, hasSystemd ? ['hostnamectl', 'set-hostname', name] : ['hostname', name]))) return false
  const hosts = await readFile(join(etc, 'hosts'), 'utf8').catch(() => undefined)
  if (hosts !== undefined) await writeWhole(join(etc, 'hosts'), hostsRenamed(hosts, before, name))
  await writeWhole(join(etc, 'hostname'), `${name}\n`)
  return true
}

/** The lines of /etc/hosts with one name in the place of another; comments and white space stay. */
export function hostsRenamed(text: string, before: string, now: string): string {
  return text
    .split('\n')
    .map((line) => {
      const at = line.indexOf('#')
      const [entry, comment] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at)]
      const words = entry.split(/(\s+)/)
      const first = words.findIndex((word) => word.trim() !== '')
      return words.map((word, place) => (place > first && word === before ? now : word)).join('') + comment
    })
    .join('\n')
}
