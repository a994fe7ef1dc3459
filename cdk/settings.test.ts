// How long payloads have to stay: a day longer than the record that is kept longest. How large settings may be.
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { longestKept, requireRoom, settingsOf } from './settings.ts'
import { Storage } from './storage.ts'

describe('longestKept', () => {
  it.each([
    ['the ledger, where nothing is set', {}, 7],
    ['jobs that are kept for long', { keep_jobs_seconds: 30 * 86_400 }, 30],
    ['events that are kept for long', { event_keep_seconds: 14 * 86_400 }, 14],
    ['what is kept for good', { keep_jobs_seconds: 0 }, 3650],
  ])('is that of %s', (_, settings, days) => expect(longestKept(settings).toDays()).toBe(days))
})

it('keeps payloads a day longer than any record that may name them', () => {
  const stack = new Stack(new App(), 'Test')
  new Storage(stack, 'Storage', RemovalPolicy.DESTROY, Duration.days(30))
  const [bucket] = Object.values(Template.fromStack(stack).findResources('AWS::S3::Bucket'))
  expect(JSON.stringify(bucket)).toContain('"ExpirationInDays":31')
}, 180_000)

describe('requireRoom', () => {
  const stack = new Stack(new App(), 'Test')

  it('takes the settings of a fleet, and those of a few groups and users', () => {
    const settings = { nodegroups: { web: 'G@role:web', db: 'L@db1,db2' }, external_auth: { pam: { ops: ['.*'] } } }
    expect(() => requireRoom(settingsOf({ settings }, stack), stack)).not.toThrow()
  })

  it('refuses what a function has no room for, and names the largest', () => {
    const nodegroups = { web: `L@${Array.from({ length: 300 }, (_, index) => `web-${index}`).join(',')}` }
    expect(() => requireRoom(settingsOf({ settings: { nodegroups } }, stack), stack)).toThrow(
      'The largest is nodegroups',
    )
  })
})
