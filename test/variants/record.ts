// Types the variants at a real Salt and keeps what came: `npx tsx test/variants/record.ts LAB [SUBJECT …]`. LAB is a lab of
// salt-lab/setup.sh whose master and minions run, with both keys accepted; the master was started after
// `npx tsx test/variants/record.ts LAB --files`, which puts the subjects' reactor.conf there. `--only=WORD` types only those whose
// names have the word, `--new` those that have no record, and keeps the others' records.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { maskEvents, maskOutput } from '../golden/mask.ts'
import { linesOf, type Recorded, readRecords, recordOf, recordsFile, subjects } from './recorded.ts'

const [lab = '', ...given] = process.argv.slice(2)
const words = given.filter((word) => !word.startsWith('--'))
const filesAlone = given.includes('--files')
const only = given
  .find((word) => word.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
if (lab === '') throw new Error('usage: npx tsx test/variants/record.ts LAB [SUBJECT …]')
const place = { root: lab }
const python = spawn(join(lab, 'venv/bin/python'), [join(import.meta.dirname, 'record.py'), lab], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const answers = createInterface(python.stdout)[Symbol.asyncIterator]()

for (const [name, { files, reactor, variants }] of Object.entries(subjects)) {
  if (words.length > 0 && !filesAlone && !words.includes(name)) continue
  const configured = reactor === undefined ? {} : { 'etc/master/master.d/reactor.conf': reactor }
  for (const [path, text] of Object.entries({ ...files, ...configured })) {
    const file = join(lab, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll('@LAB@', lab))
  }
  if (filesAlone) continue
  const kept = readRecords(name)
  const records: Recorded[] = []
  for (const { name: variant, ...asked } of variants) {
    const old = kept.get(variant)
    const isAsked = given.includes('--new')
      ? old === undefined
      : only === undefined || only.some((word) => variant.includes(word))
    if (!isAsked) {
      if (old !== undefined) records.push(old)
      continue
    }
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
