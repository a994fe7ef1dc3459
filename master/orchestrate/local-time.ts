// The time of day in results of steps.

/** The local time of day as Salt writes it: `05:32:15.743233`. Microseconds since 1970. */
export function localTime(at: number): string {
  const date = new Date(at / 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const micro = String(Math.floor(at) % 1_000_000).padStart(6, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${micro}`
}
