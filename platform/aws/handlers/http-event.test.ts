// Requests as an HTTP API hands them over, and answers as Lambda takes them.
import { describe, expect, it } from 'vitest'
import { type HttpEvent, httpAnswer, invokeAnswer, requestOf } from './http-event.ts'

const entrance = { url: 'https://api.example.org', user: 'root' }

function event(more: Partial<HttpEvent> = {}): HttpEvent {
  return { version: '2.0', rawPath: '/', requestContext: { http: { method: 'GET' } }, ...more }
}

describe('a request', () => {
  it.each([
    ['as it is', '/v1/status', '/v1/status'],
    ['decoded: a question mark is none of a query', '/minions/what?', '/minions/what%3F'],
    ['decoded: a hash ends nothing', '/hook/build#7/done', '/hook/build%237/done'],
    ['decoded: a space, letters beyond ASCII', '/hook/grüß gott', '/hook/gr%C3%BC%C3%9F%20gott'],
    ['decoded: a percent sign by itself', '/hook/100%', '/hook/100%25'],
    ['decoded: a backslash is no slash', '/hook/a\\b', '/hook/a%5Cb'],
    ['encoded still', '/hook/a%20b', '/hook/a%20b'],
  ])('has its path %s', (_, rawPath, pathname) => {
    const { request } = requestOf(event({ rawPath, rawQueryString: 'a=1%202' }), entrance)
    const url = new URL(request.url)
    expect([url.pathname, url.search, url.hash]).toEqual([pathname, '?a=1%202', ''])
  })

  it('has its cookies in one header and its body decoded', async () => {
    const { request } = requestOf(
      event({
        cookies: ['a=1', 'b=2'],
        body: Buffer.from('grüße').toString('base64'),
        isBase64Encoded: true,
        requestContext: { http: { method: 'POST' } },
      }),
      entrance,
    )
    expect(request.headers.get('cookie')).toBe('a=1; b=2')
    expect(await request.text()).toBe('grüße')
  })

  it("is of the local principal where IAM signed it, by the ARN's name", () => {
    const userArn = 'arn:aws:sts::123456789012:assumed-role/ops/ann'
    const signed = event({ requestContext: { http: { method: 'GET' }, authorizer: { iam: { userArn } } } })
    expect(requestOf(signed, entrance).transport).toMatchObject({ transport: 'socket', localUser: 'ann' })
    expect(requestOf(event(), entrance).transport).toMatchObject({ transport: 'tcp' })
  })
})

describe('an answer', () => {
  const json = (body: string): Response => new Response(body, { headers: { 'content-type': 'application/json' } })

  it('keeps cookies apart, and what is no text in base64', async () => {
    const headers = new Headers({ 'content-type': 'application/octet-stream' })
    for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
    expect(await httpAnswer(new Response(new Uint8Array([255]), { headers }))).toMatchObject({
      cookies: ['a=1', 'b=2'],
      body: '/w==',
      isBase64Encoded: true,
    })
  })

  it('that Lambda would not take says so instead, as Lambda counts: quotes twice', async () => {
    const body = JSON.stringify('"'.repeat(2 * 1024 * 1024))
    expect(Buffer.byteLength(body)).toBeLessThan(6 * 1024 * 1024)
    for (const answered of [await httpAnswer(json(body)), await invokeAnswer(json(body))]) {
      expect(answered).toMatchObject({ headers: { 'content-type': 'application/json' } })
      expect(Object.values(answered)).toContain(507)
      expect(JSON.stringify(answered)).toContain('Ask for less')
    }
  })

  it('that it takes is as it is', async () => {
    const body = JSON.stringify('x'.repeat(5 * 1024 * 1024))
    expect(await httpAnswer(json(body))).toMatchObject({ statusCode: 200, body })
  })
})
