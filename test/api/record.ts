// Asks a real salt-api the variants and keeps its answers: `npx tsx test/api/record.ts PORT [WORD …]`. Its master must be the
// lab's, whose minions are db1 and web-asg-1. With words, only the variants whose names begin with one are asked, and the
// answers to the others and what hooks put on the bus stay as they are.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from './ask.ts'
import { variants } from './variants.ts'

const [given, ...words] = process.argv.slice(2)
const port = Number(given)
if (!(port > 0)) throw new Error('usage: npx tsx test/api/record.ts PORT [WORD …]')
const file = join(import.meta.dirname, 'variants-of-salt.jsonl')
const isAsked = (name: string): boolean => words.length === 0 || words.some((word) => name.startsWith(word))
const { answers, hooks } = await ask(
  port,
  variants.filter(({ name }) => isAsked(name)),
)
const kept = words.length === 0 ? [] : readFileSync(file, 'utf8').trim().split('\n')
const old = kept.filter((line) => line.startsWith('{"name":') && !isAsked(JSON.parse(line).name))
const lines = Object.entries(answers).map(([name, answer]) => JSON.stringify({ name, ...answer }))
const heard =
  words.length === 0
    ? hooks.map((hook) => JSON.stringify({ hook }))
    : kept.filter((line) => line.startsWith('{"hook":'))
writeFileSync(file, `${[...old, ...lines, ...heard].join('\n')}\n`)
process.stdout.write(`${lines.length} answers recorded\n`)
