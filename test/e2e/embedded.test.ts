// The end-to-end suite in one process on this machine.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLab, type Lab } from '../system/lab.ts'
import { minionsAt } from './minions.ts'
import { endToEnd } from './suite.ts'
import { watchFrom } from './watcher.ts'
import { reactorFolder, saltFolder, type World } from './world.ts'

/** The port the lab chose for its master. */
function portOf(lab: Lab): string {
  return /port: (\d+)/.exec(readFileSync(join(lab.etc, 'master'), 'utf8'))?.[1] ?? ''
}

async function embeddedWorld(): Promise<World> {
  const lab = await createLab({ follow: false })
  cpSync(reactorFolder, join(lab.root, 'srv/reactor'), { recursive: true })
  cpSync(saltFolder, join(lab.root, 'srv/salt'), { recursive: true })
  cpSync(join(reactorFolder, 'reactor.conf'), join(lab.etc, 'master.d/reactor.conf'))
  await lab.startMaster()
  const connection = lab.connection()
  const watcher = await watchFrom(connection)
  const minions = await minionsAt(lab.root, { url: `http://127.0.0.1:${portOf(lab)}` })
  return {
    connection,
    events: watcher.events,
    mark: () => watcher.events.length,
    keepsOrder: true,
    waitForEvent: watcher.waitForEvent,
    startMinion: minions.start,
    call: minions.call,
    async close() {
      await minions.stopAll()
      await watcher.stop()
      await lab.close()
    },
  }
}

endToEnd('embedded', embeddedWorld)
