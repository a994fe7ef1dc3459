// Refuses characters that YAML 1.1 does not allow, before anything is scanned.
import { YamlError } from './yaml-error.ts'

const REFUSED = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** Throws a YamlError for control characters and lone surrogates. */
export function checkCharacters(text: string, name?: string): void {
  const found = REFUSED.exec(text)
  if (found === null) return
  const code = (found[0].codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  throw new YamlError(
    {
      kind: 'ReaderError',
      problem: `unacceptable character #x${code}: control characters are not allowed`,
      at: found.index,
    },
    text,
    name,
  )
}
