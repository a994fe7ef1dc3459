// A lab whose master has the API of the transcripts: the users saltdev and limited, every client, minions db1 and web-asg-1.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLab, type Lab } from '../system/lab.ts'
import { waitFor } from '../system/wait.ts'

/** What of the transcripts' configuration concerns the API. */
export const apiConfig = `
sharedsecret: brine-lab-secret
external_auth:
  sharedsecret:
    saltdev:
      - '.*'
      - '@wheel'
      - '@runner'
      - '@jobs'
    limited:
      - 'test.*'
netapi_enable_clients: [local, local_async, local_subset, local_batch, runner, runner_async, wheel, wheel_async]
nodegroups:
  webs: 'L@web-asg-1'
auto_accept: True
`

/** A running lab and the port of its API. */
export interface ApiLab {
  readonly lab: Lab
  readonly port: number
}

/** Starts master and minions; each minion has answered once when it resolves. */
export async function startApiLab(
  minions: readonly string[] = ['db1', 'web-asg-1'],
  more = '',
  rest = '',
): Promise<ApiLab> {
  const lab = await createLab({ master: apiConfig + more, rest })
  const runner = readFileSync(join(import.meta.dirname, '../golden/lab.mjs'), 'utf8')
  lab.write('srv/salt/_runners/lab.mjs', runner)
  await lab.startMaster()
  for (const id of minions) lab.startMinion(id)
  const ids = [...minions].sort()
  await waitFor('the minions to answer', async () => {
    const { stdout } = await lab.run('brine', ['-t', '2', '--out=json', '--static', '*', 'test.ping'])
    return ids.every((id) => stdout.includes(`"${id}": true`)) ? true : undefined
  })
  const port = /port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1]
  return { lab, port: Number(port) }
}
