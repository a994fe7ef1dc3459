// Salt's `strftime` and `date_format`: a time in seconds, or now, in C's date format; times are UTC.
import { numberOf } from '../../../value/index.ts'
import { strftime } from '../../../value/strftime.ts'
import { type Datum, str, textOf } from '../datum.ts'
import { PythonError } from '../python-error.ts'
import type { Run } from '../run.ts'
import { defined } from '../undefined.ts'
import { filter, type NamedFilter } from './define.ts'
import { parseFloatText } from './number.ts'

function seconds(input: Datum, run: Run): number {
  if (input === null) return run.outside('now', 'strftime')()
  defined(input)
  const text = textOf(input)
  const number = text === undefined ? numberOf(input) : parseFloatText(text)
  if (number === undefined || !Number.isFinite(Number(number))) {
    throw new PythonError('RuntimeError', `Unable to parse ${str(input)}. Consider installing timelib`)
  }
  return Number(number)
}

function formatted(input: Datum, format: Datum, run: Run): string {
  const time = seconds(input, run)
  const micros = Math.round(time * 1e6)
  const year = new Date(micros / 1000).getUTCFullYear()
  if (Number.isNaN(year) || year < 1 || year > 9999) {
    throw new PythonError('RuntimeError', `Unable to parse ${str(input)}. Consider installing timelib`)
  }
  return strftime(micros, str(format))
}

/** The filters, by Salt's names. */
export const DATE_FILTERS: readonly NamedFilter[] = ['strftime', 'date_format'].map((name) =>
  filter(name, 'format?', (input, [format = '%Y-%m-%d'], run) => formatted(input, format, run)),
)
