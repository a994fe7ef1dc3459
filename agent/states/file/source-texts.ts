// The texts of `source` or `sources`, rendered: what `append`, `prepend` and `blockreplace` put into a file.

import { readFile } from 'node:fs/promises'
import { pythonStr, pythonTruth, type Value } from '../../../core/value/index.ts'
import { decode } from '../../filesystem/text.ts'
import type { Arguments } from '../../modules/arguments.ts'
import { some } from '../../modules/file/asked.ts'
import { fetchSource } from '../../modules/file/sources.ts'
import type { StateCall } from '../state-module.ts'

/** The texts in order; none where no source is given. */
export type SourceTexts =
  | { readonly kind: 'texts'; readonly texts: readonly string[]; readonly given: boolean }
  | { readonly kind: 'failed'; readonly words: string; readonly name?: string }

const listOf = (value: Value): Value[] => (value === null ? [] : Array.isArray(value) ? value : [value])

/** Reads the arguments `source`, `sources` and their hashes. */
export async function sourceTexts(args: Arguments, call: StateCall): Promise<SourceTexts> {
  const one = args.value('source')
  const sources = listOf(args.value('sources'))
  const hashes = listOf(args.value('source_hashes'))
  if (pythonTruth(one) && sources.length > 0)
    return { kind: 'failed', words: 'source and sources are mutually exclusive' }
  if (args.is('source_hash') && hashes.length > 0) {
    return { kind: 'failed', words: 'source_hash and source_hashes are mutually exclusive' }
  }
  const pairs = pythonTruth(one)
    ? [[one, args.value('source_hash')] as const]
    : sources.map((source, index) => [source, hashes[index] ?? null] as const)
  const texts: string[] = []
  for (const [source, hash] of pairs) {
    const name = pythonStr(source)
    const fetched = await fetchSource(
      {
        name: '',
        chosen: { source: name, hash: hash === null ? '' : pythonStr(hash) },
        hashName: undefined,
        // What is put into a file is fetched without a digest, as in Salt.
        skipVerify: hash === null || hash === '',
        template: some(args.value('template')),
        env: call.env,
        context: args.value('context'),
        defaults: args.value('defaults'),
        facts: {},
      },
      call,
    )
    if (fetched.kind === 'failed') {
      call.agent.outside.log.error(fetched.words)
      return { kind: 'failed', words: `Failed to load template file ${name}`, name }
    }
    const text = fetched.kind === 'text' ? fetched.text : decode(await readFile(fetched.path))
    if (text === '') return { kind: 'failed', words: `Failed to read rendered template file ${name} (${name})`, name }
    texts.push(text)
  }
  return { kind: 'texts', texts, given: pairs.length > 0 }
}
