// Python's fixed-point text of a float: exact ties go to the even digit, where JavaScript rounds them up.

/** Python's `f"{value:.{digits}f}"`. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  const scaled = Math.abs(value) * 2 ** (digits + 1)
  if (!Number.isInteger(scaled) || scaled % 2 === 0) return text
  const last = Number(text.at(-1))
  if (last % 2 === 0 || !isTie(value, digits)) return text
  return text.slice(0, -1) + String(last - 1)
}

/** True where the float lies exactly between two texts: its full decimal expansion ends in a 5 right after them. */
function isTie(value: number, digits: number): boolean {
  return /^50*$/.test(
    value
      .toFixed(Math.min(100, digits + 40))
      .split('.')[1]
      ?.slice(digits) ?? '',
  )
}
