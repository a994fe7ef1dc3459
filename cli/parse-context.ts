// What the command lines know about the program and its terminal.
import { readFileSync } from 'node:fs'
import { arch, release, version as systemVersion, type } from 'node:os'
import type { ParseContext } from './options/parse.ts'
import { version } from './version.ts'

/** Columns, standard input and versions of this process. Standard input is read only for `--args-stdin`. */
export function parseContext(): ParseContext {
  const columns = Number(process.env.COLUMNS || process.stdout.columns)
  return {
    version,
    ...(columns > 0 ? { columns } : {}),
    versionsReport: () => versionsReport(process.versions),
    stdinLines: () =>
      readFileSync(0, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== ''),
  }
}

/** `--versions-report`, laid out as Salt's. */
function versionsReport({ node, v8 = '', openssl = '', uv = '', zlib = '' }: NodeJS.ProcessVersions): string {
  const parts: [string, readonly [string, string][]][] = [
    ['Brine Version', [['Brine', version]]],
    ['Node Version', [['Node', node]]],
    [
      'Dependency Versions',
      [
        ['OpenSSL', openssl],
        ['uv', uv],
        ['V8', v8],
        ['zlib', zlib],
      ],
    ],
    [
      'System Versions',
      [
        ['locale', (process.env.LC_ALL || process.env.LANG || 'C').split('.').at(-1) ?? ''],
        ['machine', arch()],
        ['release', release()],
        ['system', type()],
        ['version', systemVersion()],
      ],
    ],
  ]
  const lines = ([name, value]: [string, string]): string => `${name.padStart(14)}: ${value}`
  return parts.map(([title, pairs]) => [`${title}:`, ...pairs.map(lines)].join('\n')).join('\n \n')
}
