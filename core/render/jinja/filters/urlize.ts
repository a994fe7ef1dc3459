// Jinja's `urlize`: web and mail addresses in a text become links.
import { escapeHtml } from '../html.ts'
import { valueError } from '../python-error.ts'

/** How links are made. */
export interface UrlizeOptions {
  readonly limit: number | undefined
  readonly rel: string
  readonly target: string | undefined
  readonly schemes: readonly string[]
}

const URL =
  /^((https?:\/\/|www\.)(([\p{L}\p{N}_%-]+\.)+)?(com|net|int|edu|gov|org|info|mil|([a-z]{2,63}|xn--[\p{L}\p{N}_%]{2,59}))([/?#]\S*)?|(https?:\/\/)([\p{L}\p{N}_%]{2,}(\.[\p{L}\p{N}_%-]+)*|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\]))(:[\d]{1,5})?([/?#]\S*)?|(https?:\/\/)?((\d{1,3}\.){3}\d{1,3})(:[\d]{1,5})?([/?#]\S*)?)$/iu
const HTTP =
  /^((https?:\/\/|www\.)(([\p{L}\p{N}_%-]+\.)+)?([a-z]{2,63}|xn--[\p{L}\p{N}_%]{2,59})|([\p{L}\p{N}_%-]{2,63}\.)+(com|net|int|edu|gov|org|info|mil)|(https?:\/\/)((([\d]{1,3})(\.[\d]{1,3}){3})|(\[([\da-f]{0,4}:){2}([\da-f]{0,4}:?){1,6}\])))(?::[\d]{1,5})?(?:[/?#]\S*)?$/iu
const MAIL = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u

/** The text as HTML with its addresses linked. */
export function urlize(text: string, { limit, rel, target, schemes }: UrlizeOptions): string {
  for (const scheme of schemes) {
    if (!/^([\p{L}\p{N}_.+-]{2,}:(\/){0,2})$/u.test(scheme))
      throw valueError(`'${scheme}' is not a valid URI scheme prefix.`)
  }
  const attributes =
    (rel === '' ? '' : ` rel="${escapeHtml(rel)}"`) + (target === undefined ? '' : ` target="${escapeHtml(target)}"`)
  const short = (shown: string): string =>
    limit !== undefined && shown.length > limit ? `${shown.slice(0, limit)}...` : shown
  return escapeHtml(text)
    .split(/(\s+)/u)
    .map((word) => {
      const { head, middle, tail } = trimPunctuation(word)
      const link = linkOf(middle, attributes, short, schemes)
      return link === undefined ? word : head + link + tail
    })
    .join('')
}

function linkOf(
  middle: string,
  attributes: string,
  short: (shown: string) => string,
  schemes: readonly string[],
): string | undefined {
  if (HTTP.test(middle) || URL.test(middle)) {
    const href = /^https?:\/\//.test(middle) ? middle : `https://${middle}`
    return `<a href="${href}"${attributes}>${short(middle)}</a>`
  }
  if (middle.startsWith('mailto:') && MAIL.test(middle.slice(7))) return `<a href="${middle}">${middle.slice(7)}</a>`
  if (
    middle.includes('@') &&
    !middle.startsWith('www.') &&
    !middle.includes(':') &&
    !middle.startsWith('@') &&
    MAIL.test(middle)
  ) {
    return `<a href="mailto:${middle}">${middle}</a>`
  }
  const scheme = schemes.find((one) => middle !== one && middle.startsWith(one))
  return scheme === undefined ? undefined : `<a href="${middle}"${attributes}>${middle}</a>`
}

function trimPunctuation(word: string): { head: string; middle: string; tail: string } {
  const [head = ''] = /^([(<]|&lt;)+/.exec(word) ?? []
  let middle = word.slice(head.length)
  let tail = ''
  const end = /([)>.,\n]|&gt;)+$/.exec(middle)
  if (end !== null) {
    tail = end[0]
    middle = middle.slice(0, end.index)
  }
  for (const [open, close] of [
    ['(', ')'],
    ['<', '>'],
    ['&lt;', '&gt;'],
  ] as const) {
    const count = (text: string, part: string): number => text.split(part).length - 1
    let missing = Math.min(count(middle, open) - count(middle, close), count(tail, close))
    while (missing-- > 0) {
      const at = tail.indexOf(close) + close.length
      middle += tail.slice(0, at)
      tail = tail.slice(at)
    }
  }
  return { head, middle, tail }
}
