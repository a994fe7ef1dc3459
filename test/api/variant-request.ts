// Requests as bytes, for the variants that are asked of salt-api and of ours.

/** The content types. */
export const json = 'application/json'
/** Another content type. */
export const yaml = 'application/x-yaml'
/** Another content type. */
export const form = 'application/x-www-form-urlencoded'
/** Another content type. */
export const plain = 'text/plain'
/** The header of who is logged in. */
export const session = 'X-Auth-Token: {token}'
/** Who may do everything. */
export const proof = { username: 'saltdev', password: 'brine-lab-secret', eauth: 'sharedsecret' }
/** Who may do little. */
export const limited = { ...proof, username: 'limited' }
/** A request as bytes. Header lines replace those of the same name. */
export function request(line: string, lines: readonly string[] = [], body?: string): string {
  const usual = ['Host: 127.0.0.1', 'User-Agent: brine-lab', `Accept: ${json}`, 'Connection: close']
  const names = new Set(lines.map((one) => one.split(':')[0]?.toLowerCase()))
  const kept = usual.filter((one) => !names.has(one.split(':')[0]?.toLowerCase()))
  // A header without a value is one that is left out.
  const given = lines.filter((one) => !/^[^:]+:$/.test(one))
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return `${[`${line} HTTP/1.1`, ...kept, ...given, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`
}
/** Makes posts to a page: of a type, with a body that is text or becomes JSON. */
export const posts =
  (path: string, ...lines: readonly string[]) =>
  (type: string, body: unknown): string =>
    request(`POST ${path}`, [...lines, `Content-Type: ${type}`], typeof body === 'string' ? body : JSON.stringify(body))
/** A GET of who is logged in. */
export const get = (path: string, ...lines: readonly string[]): string => request(`GET ${path}`, [session, ...lines])
/** A GET of anybody. */
export const open = (path: string, ...lines: readonly string[]): string => request(`GET ${path}`, lines)
/** Any other method, by who is logged in. */
export const method = (name: string, path: string, ...lines: readonly string[]): string =>
  request(`${name} ${path}`, [session, ...lines])
