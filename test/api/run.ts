// Makes the recorded exchanges again and prints how each came out: `npx tsx test/api/run.ts [FOLDER] [NAME …]`.
import { existsSync } from 'node:fs'
import { startApiLab } from './api-lab.ts'
import { exchangesOf, judge } from './judge.ts'
import { exchanges } from './recorded.ts'

const [folder = exchanges, ...words] = process.argv.slice(2)
if (!existsSync(folder)) throw new Error(`there is no ${folder}`)
const stage = await startApiLab()
try {
  const verdicts = await judge(stage, folder, exchangesOf(folder))
  for (const { name, differences } of verdicts) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue
    process.stdout.write(`${differences.length === 0 ? 'equal    ' : 'different'} ${name}\n`)
    for (const difference of differences) process.stdout.write(`            ${difference.slice(0, 3000)}\n`)
  }
  const equal = verdicts.filter(({ differences }) => differences.length === 0).length
  process.stdout.write(`${equal} of ${verdicts.length} equal\n`)
} finally {
  await stage.lab.close()
}
