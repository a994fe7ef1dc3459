// /hook: what others post becomes an event, salt/netapi/hook/<path>.
import type { Mapping } from '../../../core/value/index.ts'
import type { Fire } from '../../fire.ts'
import { readBody } from './body.ts'
import { ApiError, noPermission } from './error-page.ts'
import { isSigned, signatureFor } from './hook-signature.ts'
import { below, type Page, type PageCall } from './page.ts'
import type { ApiSettings } from './settings.ts'

const tagBase = 'salt/netapi/hook'
/** Headers that would let a reader of the bus act as who posted. */
const secretHeaders = new Set(['x-auth-token', 'authorization', 'proxy-authorization', 'cookie'])

/**
 * The pages of the hooks. A path with a signature rule is for whoever signs; every other one for users, or for anybody
 * with `webhook_disable_auth`.
 */
export function hookPages(fire: Fire, settings: ApiSettings): readonly Page[] {
  const base = `/${settings.webhookUrl.replace(/^\/+|\/+$/g, '')}`
  const open = settings.webhookDisableAuth || settings.hookSignatures.length > 0
  const page: Omit<Page, 'path'> = {
    method: 'POST',
    who: open ? ['anyone', 'user', 'local'] : ['user', 'local'],
    about: `fires what is posted as ${tagBase}/…`,
    allow: 'POST',
    async answer(call) {
      const segments = segmentsOf(call, below(settings.rootPrefix, base))
      const bytes = await call.bytes()
      admit(call, segments.join('/'), bytes, settings)
      const { data, raw } = readBody(call.request.headers.get('content-type'), Buffer.from(bytes).toString('utf8'))
      const post = data === null || data === '' ? {} : data
      await fire({ tag: [tagBase, ...segments].join('/'), data: { body: raw, post, headers: headersOf(call) } })
      return { value: { success: true } }
    },
  }
  return [
    { ...page, path: base },
    { ...page, path: `${base}/*` },
  ]
}

function admit({ principal, request }: PageCall, path: string, bytes: Uint8Array, settings: ApiSettings): void {
  const rule = signatureFor(settings.hookSignatures, path)
  if (rule !== undefined) {
    if (isSigned(rule, request.headers, bytes)) return
    throw new ApiError(401, 'The signature of this hook is missing or wrong')
  }
  if (settings.webhookDisableAuth || principal.kind === 'user' || principal.kind === 'local') return
  throw new ApiError(401, noPermission)
}

/** The parts of the path behind the hook's own, decoded. */
function segmentsOf({ request }: PageCall, base: string): string[] {
  const path = new URL(request.url).pathname.slice(base.length)
  return path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part)
      } catch {
        // Not UTF-8: kept as it was sent.
        return part
      }
    })
}

/** The headers under the names CherryPy gives them, without what proves an identity. */
function headersOf({ request, transport }: PageCall): Mapping {
  const headers: Mapping = transport.remote === undefined ? {} : { 'Remote-Addr': transport.remote }
  for (const [name, value] of request.headers) {
    const title = name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
    headers[title] = secretHeaders.has(name) ? '<redacted>' : value
  }
  return headers
}
