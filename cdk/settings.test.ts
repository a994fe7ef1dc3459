// How long payloads have to stay: a day longer than the record that is kept longest.
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { longestKept } from './settings.ts'
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
})
