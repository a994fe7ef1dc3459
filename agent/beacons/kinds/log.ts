// The `log` beacon: new lines of a file that match an expression.
import { open } from 'node:fs/promises'
import { pythonRegex } from '../../../core/target/python-regex.ts'
import { type Mapping, pythonStr } from '../../../core/value/index.ts'
import type { BeaconEvent, BeaconKind } from '../beacon.ts'
import { mapOf } from '../entry.ts'
import { Follower } from '../follower.ts'

/** Begins at the end of the file; goes on at the beginning of a rotated one. */
export const logBeacon: BeaconKind = {
  name: 'log',
  doc: `Tell lines of a log that match a regular expression, from their beginning on.

.. code-block:: yaml

    beacons:
      log:
        - file: /var/log/messages
        - tags:
            goodbye/world:
              regex: .*good-bye.*`,
  unavailable: () => (process.platform === 'win32' ? 'Not available for Windows systems.' : undefined),
  validate: (options) =>
    options.file === undefined ? 'Configuration for log beacon must contain file option.' : undefined,
  open() {
    const file = new Follower(open)
    let rest = ''
    return {
      async look(options) {
        const found = await file.read(pythonStr(options.file ?? ''))
        if (found.restarted) rest = ''
        const lines = (rest + found.bytes.toString('utf8')).split('\n')
        // A line that is still being written is told when it is whole.
        rest = lines.pop() ?? ''
        const { expressions, bad } = expressionsOf(options)
        const events = lines.flatMap((raw) =>
          expressions.filter(({ regex }) => regex.test(raw)).map(({ tag }) => event(tag, { match: 'yes', raw })),
        )
        return found.bytes.length === 0 ? [] : [...bad.map((tag) => event(tag, { error: 'bad regex' })), ...events]
      },
    }
  },
}

function event(tag: string, fields: Mapping): BeaconEvent {
  return { tag, match: 'no', raw: '', error: '', ...fields }
}

function expressionsOf(options: Mapping): { expressions: { tag: string; regex: RegExp }[]; bad: string[] } {
  const expressions: { tag: string; regex: RegExp }[] = []
  const bad: string[] = []
  for (const [tag, written] of Object.entries(mapOf(options.tags) ?? {})) {
    const pattern = mapOf(written)?.regex ?? ''
    if (pattern === '') continue
    try {
      expressions.push({ tag, regex: pythonRegex(pythonStr(pattern)) })
    } catch {
      bad.push(tag)
    }
  }
  return { expressions, bad }
}
