// What the app makes of its context: texts of `-c` and values of cdk.json alike, and nothing misspelt.
import { readFileSync } from 'node:fs'
import { App, Stack } from 'aws-cdk-lib'
import { describe, expect, it } from 'vitest'
import { contextNames, propsOf, requireKnown } from './app-context.ts'

function propsWith(context: Readonly<Record<string, unknown>>, endpoint?: string) {
  return propsOf((name) => context[name], new Stack(new App(), 'S'), endpoint)
}

describe('the context of the app', () => {
  it('may be empty', () => {
    expect(propsWith({})).toEqual({})
  })

  it('is taken as text and as values', () => {
    const texts = propsWith({
      identityAccounts: '111111111111,222222222222',
      legacyEvents: 'false',
      eventRetentionDays: '3',
      settings: '{"timeout": 7}',
      fileRoots: 'srv/salt',
    })
    const values = propsWith({
      identityAccounts: ['111111111111', '222222222222'],
      legacyEvents: false,
      eventRetentionDays: 3,
      settings: { timeout: 7 },
      fileRoots: { base: ['srv/salt'] },
    })
    const { eventRetention, ...rest } = texts
    expect(rest).toEqual({
      identityAccounts: ['111111111111', '222222222222'],
      legacyEvents: false,
      settings: { timeout: 7 },
      fileRoots: { base: ['srv/salt'] },
    })
    expect(eventRetention?.toDays()).toBe(3)
    expect(values.eventRetention?.toDays()).toBe(3)
    expect({ ...values, eventRetention: undefined }).toEqual({ ...rest, eventRetention: undefined })
  })

  it('names the functions that may be called, and the folders of runners', () => {
    const { runners, invokableFunctions } = propsWith({ runners: 'a,b', invokableFunctions: 'resize,notify' })
    expect(runners).toEqual(['a', 'b'])
    expect(invokableFunctions?.map(({ functionArn }) => functionArn.split(':').at(-1))).toEqual(['resize', 'notify'])
  })

  it('takes an endpoint on this machine for an emulator, and AWS for AWS', () => {
    expect(propsWith({}, 'http://localhost:4566/').emulator).toEqual({
      endpoint: 'http://localhost:4566',
      concurrency: 4,
    })
    expect(propsWith({}, 'https://sts.eu-west-1.amazonaws.com').emulator).toBeUndefined()
    const ec2 = { EC2: 'http://127.0.0.1:1' }
    expect(
      propsWith({ concurrency: '2', emulatorEndpoints: JSON.stringify(ec2) }, 'http://localhost:4566').emulator,
    ).toEqual({ endpoint: 'http://localhost:4566', concurrency: 2, endpoints: ec2 })
  })

  it.each([
    ['a number that is none', { archiveDays: 'soon' }, 'brine:archiveDays is "soon"'],
    ['JSON that is none', { settings: '{timeout: 7}' }, 'brine:settings is no JSON'],
  ])('refuses %s', (_, context, message) => {
    expect(() => propsWith(context)).toThrow(message)
  })

  it('refuses a name that there is not', () => {
    expect(() => requireKnown(['stack', 'reactor'])).toThrow('There is no context brine:reactor.')
  })

  it('is told in docs/aws.md, every name of it', () => {
    const page = readFileSync(new URL('../docs/aws.md', import.meta.url), 'utf8')
    expect(contextNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})
