// Reacts to job returns: prints which minion returned what, for every job. Runs as the master's user on its machine.
import { connectLocal, iterEvents } from 'brine'

const master = await connectLocal()
for await (const { tag, data } of iterEvents(master, { tag: 'salt/job/*/ret/*', matchType: 'fnmatch' }))
  console.log(`${tag}: ${data.fun} returned ${JSON.stringify(data.return)}`)
