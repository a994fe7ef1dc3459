// Python's bytes, as far as a template meets them: `encode`, `to_bytes`, `mac_str_to_bytes`.
import { BoundFunction, type Datum, type Source, TemplateObject } from './datum.ts'
import { type Method, method } from './method.ts'
import { asIndex } from './numbers.ts'
import { PythonError } from './python-error.ts'
import type { Run } from './run.ts'

/** `b'…'`. */
export class Bytes extends TemplateObject {
  readonly typeName = 'bytes'
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    super()
    this.bytes = bytes
  }

  override repr(): string {
    const quote = this.bytes.includes(0x27) && !this.bytes.includes(0x22) ? '"' : "'"
    return `b${quote}${Array.from(this.bytes, (byte) => byteText(byte, quote)).join('')}${quote}`
  }

  override truth(): boolean {
    return this.bytes.length > 0
  }

  override equals(other: unknown): boolean {
    return other instanceof Bytes && Buffer.compare(this.bytes, other.bytes) === 0
  }

  override length(): number {
    return this.bytes.length
  }

  override iterate(): Source {
    let at = 0
    return { next: () => this.bytes[at++] }
  }

  override item(key: Datum): Datum | undefined {
    const index = asIndex(key)
    return index === undefined ? undefined : this.bytes.at(index)
  }

  override attribute(name: string, _run: Run): Datum | undefined {
    const found = METHODS.get(name)
    return found && new BoundFunction(name, (args, kwargs, run) => found(this, args, kwargs, run))
  }

  decode(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes)
    } catch {
      throw new PythonError('UnicodeError', "'utf-8' codec can't decode bytes: invalid data")
    }
  }
}

const METHODS: ReadonlyMap<string, Method<Bytes>> = new Map([
  method<Bytes>('decode', 'encoding? errors?', (self) => self.decode()),
  method<Bytes>('hex', '', (self) => Array.from(self.bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')),
])

function byteText(byte: number, quote: string): string {
  const char = String.fromCharCode(byte)
  if (char === '\\' || char === quote) return `\\${char}`
  if (char === '\n') return '\\n'
  if (char === '\r') return '\\r'
  if (char === '\t') return '\\t'
  return byte >= 0x20 && byte < 0x7f ? char : `\\x${byte.toString(16).padStart(2, '0')}`
}
