// Listens on a minion's own bus, and tells the master about what it sees there. Runs as the minion's user on its machine.
//
//   brine-call event.fire '{"disk": "sda"}' 'custom/disk/failing'
import { Caller, MinionEvent } from 'brine'

const caller = new Caller()
const bus = new MinionEvent()
await bus.subscribe()
console.log('listening')
for await (const { tag, data } of bus.iterEvents({ tag: 'custom/.*', matchType: 'regex' })) {
  console.log(`${tag}: ${JSON.stringify(data)}`)
  await caller.cmd('event.send', `seen/${tag}`, data)
}
await caller.close()
