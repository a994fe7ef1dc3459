// Posts a message to a Slack-like webhook whenever a job fails on a minion.
//
//   WEBHOOK=https://hooks.slack.com/services/… node examples/webhook.mjs
import { connectLocal, iterEvents } from 'brine'

const { WEBHOOK } = process.env
if (WEBHOOK === undefined) throw new Error('WEBHOOK is not set: the URL to post to.')

for await (const { data } of iterEvents(await connectLocal(), { tag: 'salt/job/*/ret/*', matchType: 'fnmatch' })) {
  if (data.success !== false) continue
  const text = `${data.fun} failed on ${data.id} (job ${data.jid})`
  const answer = await fetch(WEBHOOK, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  if (!answer.ok) console.error(`${WEBHOOK} answered ${answer.status}`)
}
