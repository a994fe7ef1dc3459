// Types the variants at our programs and prints how each came out: `npx tsx test/variants/run.ts SUBJECT [WORD …]`.
import { play, startVariantLab } from './play.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const [subject = '', ...words] = process.argv.slice(2)
const lab = await startVariantLab()
let [equal, different] = [0, 0]
try {
  for await (const { name, differences } of play(lab, subject, words)) {
    if (differences.length === 0) equal += 1
    else {
      different += 1
      process.stdout.write(`${[`different  ${name}`, ...differences.map((line) => `    ${line}`)].join('\n')}\n`)
    }
  }
} finally {
  await lab.close()
}
process.stdout.write(`${equal} equal, ${different} different\n`)
