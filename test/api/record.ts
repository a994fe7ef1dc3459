// Asks a real salt-api the variants and keeps its answers: `npx tsx test/api/record.ts PORT`. Its master must be the lab's, whose
// minions are db1 and web-asg-1.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from './ask.ts'
import { variants } from './variants.ts'

const port = Number(process.argv[2])
if (!(port > 0)) throw new Error('usage: npx tsx test/api/record.ts PORT')
const { answers, hooks } = await ask(port, variants)
const lines = Object.entries(answers).map(([name, answer]) => JSON.stringify({ name, ...answer }))
const heard = hooks.map((hook) => JSON.stringify({ hook }))
writeFileSync(join(import.meta.dirname, 'variants-of-salt.jsonl'), `${[...lines, ...heard].join('\n')}\n`)
process.stdout.write(`${lines.length} answers and ${heard.length} hooks recorded\n`)
