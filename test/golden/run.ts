// Replays all transcripts and prints how each came out, with the share: `npx tsx test/golden/run.ts [WORD …]`.
//
// Words choose transcripts by a part of their name; what they build on is replayed too.
import { judge } from './judge.ts'

// Ending in the ordinary way, so that what was started is ended too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const { summary, different } = await judge(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
process.stdout.write(`${summary}\n`)
process.exitCode = different === 0 ? 0 : 1
