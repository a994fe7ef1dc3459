// The date as C's asctime writes it.

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Wed Nov  8 07:52:57 2017`, local time. */
export function asctime(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const day = String(date.getDate()).padStart(2)
  return `${days[date.getDay()]} ${months[date.getMonth()]} ${day} ${clock} ${date.getFullYear()}`
}
