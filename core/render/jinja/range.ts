// `range()`: lazy, indexable, bounded as Jinja's sandbox bounds it.
import { MAX_RANGE } from './budget.ts'
import { BoundFunction, type Datum, repr, type Source, TemplateObject, typeName } from './datum.ts'
import { sliceIndexes } from './lookup.ts'
import { asIndex } from './numbers.ts'
import { PythonError, typeError, valueError } from './python-error.ts'

/** A Python range. */
class Range extends TemplateObject {
  readonly typeName = 'range'
  readonly start: number
  readonly stop: number
  readonly step: number
  readonly size: number

  constructor(start: number, stop: number, step: number) {
    super()
    this.start = start
    this.stop = stop
    this.step = step
    this.size = Math.max(0, Math.ceil((stop - start) / step))
  }

  override repr(): string {
    const step = this.step === 1 ? '' : `, ${this.step}`
    return `range(${this.start}, ${this.stop}${step})`
  }

  override truth(): boolean {
    return this.size > 0
  }

  override length(): number {
    return this.size
  }

  override get isSequence(): boolean {
    return true
  }

  override iterate(): Source {
    let at = 0
    return { next: () => (at < this.size ? this.start + at++ * this.step : undefined) }
  }

  override contains(item: Datum): boolean | undefined {
    const index = asIndex(item)
    if (index === undefined) return undefined
    const steps = (index - this.start) / this.step
    return Number.isInteger(steps) && steps >= 0 && steps < this.size
  }

  override item(key: Datum): Datum | undefined {
    const index = asIndex(key)
    if (index === undefined) return undefined
    const at = index < 0 ? index + this.size : index
    return at >= 0 && at < this.size ? this.start + at * this.step : undefined
  }

  override slice(start: Datum, stop: Datum, step: Datum): Datum {
    const indexes = sliceIndexes(this.size, start, stop, step)
    const [first] = indexes
    const by = this.step * (asIndex(step) ?? 1)
    if (first === undefined) return new Range(this.start, this.start, by)
    const from = this.start + first * this.step
    return new Range(from, from + indexes.length * by, by)
  }

  override attribute(name: string): Datum | undefined {
    if (name === 'index') return new BoundFunction(name, ([value = null]) => this.#indexOf(value))
    if (name === 'count') return new BoundFunction(name, ([value = null]) => (this.contains(value) === true ? 1 : 0))
    return name === 'start' ? this.start : name === 'stop' ? this.stop : name === 'step' ? this.step : undefined
  }

  #indexOf(value: Datum): number {
    const index = asIndex(value)
    if (index !== undefined && this.contains(value) === true) return (index - this.start) / this.step
    throw valueError(`${repr(value)} is not in range`)
  }

  override equals(other: unknown): boolean {
    if (!(other instanceof Range) || other.size !== this.size) return false
    return this.size === 0 || (other.start === this.start && (this.size === 1 || other.step === this.step))
  }
}

/** `range(stop)`, `range(start, stop)`, `range(start, stop, step)`. */
export function makeRange(args: readonly Datum[]): Range {
  if (args.length === 0) throw typeError('range expected at least 1 argument, got 0')
  if (args.length > 3) throw typeError(`range expected at most 3 arguments, got ${args.length}`)
  const numbers = args.map((arg) => {
    const index = asIndex(arg)
    if (index !== undefined) return index
    throw typeError(`'${typeName(arg)}' object cannot be interpreted as an integer`)
  })
  const [first = 0, second, step = 1] = numbers
  if (step === 0) throw valueError('range() arg 3 must not be zero')
  const made = second === undefined ? new Range(0, first, 1) : new Range(first, second, step)
  if (made.size > MAX_RANGE) {
    throw new PythonError(
      'OverflowError',
      `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${MAX_RANGE}).`,
    )
  }
  return made
}
