// Texts in the encodings that files are written in, under Python's names for them.
import { CommandExecutionError } from '../modules/errors.ts'

interface Encoding {
  read(bytes: Buffer): string
  write(text: string): Buffer
}

const strictly = (label: string) => (bytes: Buffer) =>
  new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes)

const utf8: Encoding = { read: strictly('utf-8'), write: (text) => Buffer.from(text) }
const utf16le: Encoding = { read: strictly('utf-16le'), write: (text) => Buffer.from(text, 'utf16le') }
const utf16be: Encoding = {
  read: (bytes) => utf16le.read(Buffer.from(bytes).swap16()),
  write: (text) => utf16le.write(text).swap16(),
}

/** One byte a character, of which there are `size`. */
const bytewise = (size: number): Encoding => ({
  read: (bytes) => bounded(bytes.toString('latin1'), size),
  write: (text) => Buffer.from(bounded(text, size), 'latin1'),
})

function bounded(text: string, size: number): string {
  if ([...text].some((char) => (char.codePointAt(0) ?? 0) >= size)) throw new RangeError('a character it does not have')
  return text
}

/** With a mark at the beginning, which is no part of the text. */
const marked = (encoding: Encoding, mark: string, read = encoding.read): Encoding => ({
  read: (bytes) => read(bytes).replace(/^\ufeff/, ''),
  write: (text) => encoding.write(`${mark}${text}`),
})

const encodings: Readonly<Record<string, Encoding>> = {
  utf8,
  'utf-8': utf8,
  'utf-8-sig': marked(utf8, '\ufeff'),
  'utf-16': marked(utf16le, '\ufeff', (bytes) =>
    bytes[0] === 0xfe && bytes[1] === 0xff ? utf16be.read(bytes) : utf16le.read(bytes),
  ),
  'utf-16-le': utf16le,
  'utf-16-be': utf16be,
  'latin-1': bytewise(256),
  latin1: bytewise(256),
  'iso-8859-1': bytewise(256),
  ascii: bytewise(128),
  'us-ascii': bytewise(128),
}

function encodingOf(name: string): Encoding {
  const known = encodings[name.toLowerCase().replaceAll('_', '-')]
  if (known !== undefined) return known
  throw new CommandExecutionError(`encoding: ${name} is not known here: use ${Object.keys(encodings).join(', ')}.`)
}

/** The text of these bytes. Throws where they are no such text. @param name Python's name, UTF-8 where there is none */
export function decodeText(bytes: Buffer, name = 'utf-8'): string {
  const encoding = encodingOf(name)
  try {
    return encoding.read(bytes)
  } catch (error) {
    throw new CommandExecutionError(`It is no text in ${name}: say with encoding what it is in.`, error)
  }
}

/** The bytes of this text. Throws for characters the encoding does not have. */
export function encodeText(text: string, name = 'utf-8'): Buffer {
  const encoding = encodingOf(name)
  try {
    return encoding.write(text)
  } catch (error) {
    throw new CommandExecutionError(`What is to be written cannot be in ${name}.`, error)
  }
}
