// Types the variants at a real Salt and keeps what came: `npx tsx test/variants/record.ts LAB [SUBJECT …]`. LAB is a lab of
// salt-lab/setup.sh whose master and minions run, with both keys accepted.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { maskEvents, maskOutput } from '../golden/mask.ts'
import { linesOf, type Recorded, recordOf, recordsFile, subjects } from './recorded.ts'

const [lab = '', ...words] = process.argv.slice(2)
if (lab === '') throw new Error('usage: npx tsx test/variants/record.ts LAB [SUBJECT …]')
const place = { root: lab }
const python = spawn(join(lab, 'venv/bin/python'), [join(import.meta.dirname, 'record.py'), lab], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const answers = createInterface(python.stdout)[Symbol.asyncIterator]()

for (const [name, { files, variants }] of Object.entries(subjects)) {
  if (words.length > 0 && !words.includes(name)) continue
  for (const [path, text] of Object.entries(files)) {
    const file = join(lab, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll('@LAB@', lab))
  }
  const records: Recorded[] = []
  for (const { name: variant, ...asked } of variants) {
    python.stdin.write(`${JSON.stringify(asked)}\n`)
    const { value } = await answers.next()
    const { exit, stdout, stderr, events } = JSON.parse(value)
    const heard = asked.events === true ? { events: maskEvents(events, place) } : {}
    const raw = { name: variant, exit, stdout: maskOutput(stdout, place), stderr: maskOutput(stderr, place), ...heard }
    const record = recordOf(raw)
    if (record !== undefined) records.push(record)
    process.stdout.write(`${exit} ${variant}\n`)
  }
  writeFileSync(recordsFile(name), linesOf(records))
}
python.stdin.end()
