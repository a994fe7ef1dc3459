// Signed hooks: which requests must be signed, and whether one is.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { BrineError } from '../../../core/error.ts'
import { matchTag } from '../../../core/event/tag-glob.ts'
import { entries, isList, isMap, pythonRepr, pythonStr, type Value } from '../../../core/value/index.ts'
import type { HookSignature } from './settings.ts'

/** The rule for a path below the hook's, the first that matches; undefined where nothing has to be signed. */
export function signatureFor(rules: readonly HookSignature[], path: string): HookSignature | undefined {
  return rules.find((rule) => matchTag(rule.path, path))
}

/** Whether the body is signed as the rule says, compared in constant time. */
export function isSigned(rule: HookSignature, headers: Headers, body: Uint8Array): boolean {
  const shown = headers.get(rule.header)
  if (shown === null || !shown.startsWith(rule.prefix)) return false
  const wanted = createHmac(rule.algorithm, rule.secret).update(body).digest()
  const given = Buffer.from(shown.slice(rule.prefix.length).trim(), rule.encoding)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/**
 * Reads `webhook_hmac`: a list of maps with `path`, `secret`, and `form: github`, or `header`, `prefix`, `algorithm`
 * (sha256) and `encoding` (hex) of its own. Throws for a rule that could not hold.
 */
export function readHookSignatures(config: Value): HookSignature[] {
  return (isList(config) ? config : [config]).map((rule) => {
    if (!isMap(rule)) throw wrong(rule, 'a map with path and secret')
    const fields = new Map(entries(rule).map(([key, value]) => [pythonStr(key), pythonStr(value)]))
    const path = fields.get('path')
    const secret = fields.get('secret') ?? ''
    if (path === undefined || secret === '') throw wrong(rule, 'a map with path and secret')
    const form = fields.get('form') ?? 'generic'
    if (form === 'github')
      return { path, secret, header: 'x-hub-signature-256', prefix: 'sha256=', algorithm: 'sha256', encoding: 'hex' }
    if (form !== 'generic') throw wrong(form, 'github, or generic with a header of its own')
    const algorithm = fields.get('algorithm') ?? 'sha256'
    const encoding = fields.get('encoding') ?? 'hex'
    if (algorithm !== 'sha1' && algorithm !== 'sha256' && algorithm !== 'sha512')
      throw wrong(algorithm, 'sha256, sha512 or sha1')
    if (encoding !== 'hex' && encoding !== 'base64') throw wrong(encoding, 'hex or base64')
    const header = (fields.get('header') ?? 'X-Signature').toLowerCase()
    return { path, secret, header, prefix: fields.get('prefix') ?? '', algorithm, encoding }
  })
}

function wrong(value: Value, wanted: string): BrineError {
  const shown = isMap(value)
    ? `a rule with ${entries(value)
        .map(([key]) => pythonStr(key))
        .join(', ')}`
    : pythonRepr(value)
  return new BrineError(`rest_cherrypy: webhook_hmac holds ${shown}. It must be ${wanted}.`, { code: 'config' })
}
