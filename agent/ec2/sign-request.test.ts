// Signatures as AWS's own published cases and its SDK make them.
import { describe, expect, it } from 'vitest'
import { signedHeaders } from './sign-request.ts'

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

describe('a request to AWS', () => {
  // From AWS's Signature Version 4 test suite: name, path and query, headers, body, signature.
  it.each([
    ['post-vanilla', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-vanilla-query',
      '/?Param1=value1',
      {},
      '',
      '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    ],
    [
      'post-x-www-form-urlencoded',
      '/',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Param1=value1',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('%s', (_, path, headers, body, signature) => {
    const signed = signedHeaders(
      {
        url: new URL(`https://example.amazonaws.com${path}`),
        body,
        headers,
        service: 'service',
        region: 'us-east-1',
        at: Date.parse('2015-08-30T12:36:00Z'),
      },
      credentials,
    )
    expect(signed.authorization).toContain(`Signature=${signature}`)
    expect(signed).not.toHaveProperty('x-amz-security-token')
  })

  it("is signed as AWS's own SDK signs it", () => {
    const request = {
      url: new URL('https://sts.eu-west-1.amazonaws.com'),
      body: 'Action=GetCallerIdentity&Version=2011-06-15',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      service: 'sts',
      region: 'eu-west-1',
      at: Date.parse('2026-11-21T12:00:00Z'),
    }
    // Made with @smithy/signature-v4 5.
    expect(signedHeaders(request, { ...credentials, sessionToken: 'TOKEN/+=' })).toEqual({
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-amz-date': '20261121T120000Z',
      'x-amz-security-token': 'TOKEN/+=',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261121/eu-west-1/sts/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=47f62bde14855530426c0c3236ca256a2a100e1ff6f897914bc3a7f1935c9a5e',
    })
  })
})
