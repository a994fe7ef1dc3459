// A time of day as people write it.

/** Seconds since midnight of `8am`, `4:30 pm`, `16:30`, `16:30:05`; undefined for anything else. */
export function timeOfDay(text: string): number | undefined {
  const [, hour, minute = '0', second = '0', half] =
    /^\s*(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*([ap]\.?m\.?)?\s*$/i.exec(text) ?? []
  if (hour === undefined || (half === undefined && !text.includes(':'))) return undefined
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)]
  if (minutes > 59 || seconds > 59 || hours > (half === undefined ? 23 : 12)) return undefined
  const isAfternoon = half?.toLowerCase().startsWith('p') === true
  const whole = half === undefined ? hours : (hours % 12) + (isAfternoon ? 12 : 0)
  return whole * 3600 + minutes * 60 + seconds
}
