// Prints the returns behind the goldens' command outputs again and compares byte for byte, times and ids masked.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { minionMisuse } from '../../core/arguments/misuse.ts'
import { parseJson } from '../../core/value/index.ts'
import { eventLine } from './event-line.ts'
import { cliPages, type GoldenPage } from './golden-pages.ts'
import { printout } from './printout.ts'
import { noReturnNotice, returnsSummary } from './returns-summary.ts'

const shared = process.env.BRINE_SHARED ?? fileURLToPath(new URL('../../../shared', import.meta.url))
const goldens = join(shared, 'golden')
const present = existsSync(join(goldens, 'cli'))
const read = (name: string): string => readFileSync(join(goldens, name), 'utf8')

function mask(text: string): string {
  return text
    .replace(/20\d{18}/g, '<jid>')
    .replace(/\d{2}:\d{2}:\d{2}\.\d{6}/g, '<time>')
    .replace(/\d+(?:\.\d+)? ms\b/g, '<n> ms')
    .replace(/(Total run time:) +[\d.]+ (?:ms|s)|(Total run time:) +<n> ms/g, '$1$2 <n>')
    .replace(/\d{4}, \w{3} \d\d <time>/g, '<date>')
    .replace(/(pid:\n +|Running:\n +\|_\n +-+\n +db1:\n +|"db1": )\d+/g, '$1<pid>')
    .replace(/(key:\n +|"key": ")[^\s"]{20,}/g, '$1<key>')
    .replace(/(_stamp:\n +|"_stamp": ")[^\s"]+/g, '$1<stamp>')
    .replaceAll('salt-run jobs', 'brine-run jobs')
}

async function print(pages: readonly GoldenPage[]): Promise<string> {
  const texts = await Promise.all(pages.map(({ data, out, options }) => printout(data, out ?? 'nested', options ?? {})))
  return texts
    .filter((text) => text !== '')
    .map((text) => `${text}\n`)
    .join('')
}

describe.runIf(present)('command outputs', () => {
  it.each([...cliPages()])('golden/cli/%s', async (name, pages) => {
    expect(mask(await print(pages))).toBe(mask(read(`cli/${name}.out`)))
  })

  it.each(['tgt_C', 'tgt_I', 'tgt_L', 'tgt_N', 'tgt_P', 'tgt_S', 'ping_nested'])('golden/cli/%s', async (name) => {
    const golden = read(`cli/${name}.out`)
    const ids = golden.match(/^\S+(?=:$)/gm) ?? []
    expect(ids.length).toBeGreaterThan(0)
    expect(await print(ids.map((id) => ({ data: { [id]: true } })))).toBe(golden)
  })

  it('golden/cli/summary', async () => {
    const ids = ['web-asg-1', 'db1']
    const returns = new Map(ids.map((id) => [id, { value: true, retcode: 0 }]))
    const text = `${await print(ids.map((id) => ({ data: { [id]: true } })))}${returnsSummary(returns, false)}\n`
    expect(text).toBe(read('cli/summary.out'))
  })

  it.each(['err_noreturn_mixed', 'progress_none'])('golden/cli/%s', async (name) => {
    const notice = noReturnNotice('20261121053147867459')
    expect(mask(await print([{ data: { db1: true } }, { data: { ghost: notice } }]))).toBe(
      mask(read(`cli/${name}.out`)),
    )
  })

  it('golden/cli/err_minion_down_json', async () => {
    const data = [{ db1: true }, { 'web-asg-1': noReturnNotice('20261121053147867459') }]
    const pages = data.map((value): GoldenPage => ({ data: value, out: 'json' }))
    expect(mask(await print(pages))).toBe(mask(read('cli/err_minion_down_json.out')))
  })

  it('golden/cli/err_badargs', async () => {
    const doc =
      "Return a string - used for testing the connection\n\nCLI Example:\n\n.. code-block:: bash\n\n    salt '*' test.echo 'foo bar baz quo qux'"
    const words = "echo() missing 1 required positional argument: 'text'"
    const data = { db1: minionMisuse('test.echo', words, doc) }
    expect(await print([{ data, options: { retcode: 1 } }])).toBe(read('cli/err_badargs.out'))
  })
})

describe.runIf(present)('event streams', () => {
  const streams = present ? readdirSync(join(goldens, 'events')).filter((name) => name.endsWith('.raw.txt')) : []

  it.each(streams)('golden/events/%s', (name) => {
    const raw = read(`events/${name}`)
    const events = raw
      .split('\n')
      .slice(0, -1)
      .map((line) => ({ tag: line.slice(0, line.indexOf('\t')), data: parseJson(line.slice(line.indexOf('\t') + 1)) }))
    const again = (pretty: boolean): string => events.map((event) => `${eventLine(event, pretty)}\n`).join('')
    expect(again(false)).toBe(raw.slice(0, raw.lastIndexOf('\n') + 1))
    // The two forms were captured by two commands that saw each other start: some events stand in one of them only.
    const printed = new Set(events.map((event) => `${eventLine(event, true)}\n`))
    const pretty = read(`events/${name.replace('.raw', '')}`).split(/^(?=\S[^\t\n]*\t\{)/m)
    const stamp = (text: string): string => /"_stamp": "([^"]+)"/.exec(text)?.[1] ?? 'none'
    const shared = pretty.filter((block) => block.endsWith('\n}\n') && raw.includes(stamp(block)))
    expect(shared.length).toBeGreaterThan(0)
    for (const block of shared) expect(printed).toContain(block)
  })
})
