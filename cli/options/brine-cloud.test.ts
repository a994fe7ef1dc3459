// What brine-cloud is asked to do, and salt-cloud's words for what it cannot be.
import { describe, expect, it } from 'vitest'
import { readBrineCloud } from './brine-cloud.ts'

const context = { version: '1.2.3' }
const read = (line: string) => readBrineCloud(line === '' ? [] : line.split(' '), context)

describe('brine-cloud', () => {
  it.each([
    ['-p web web1 web2', { kind: 'profile', profile: 'web', names: ['web1', 'web2'] }],
    ['-d web1', { kind: 'destroy', names: ['web1'] }],
    ['-a stop web1 web2', { kind: 'action', fun: 'stop', words: ['web1', 'web2'] }],
    [
      '-f show_instance my-ec2 name=web1',
      { kind: 'function', fun: 'show_instance', provider: 'my-ec2', words: ['name=web1'] },
    ],
    ['-Q', { kind: 'query', fun: 'query' }],
    ['-F', { kind: 'query', fun: 'full_query' }],
    ['-S -p web x', { kind: 'query', fun: 'select_query' }],
    ['--list-providers', { kind: 'query', fun: 'list_providers' }],
    ['--list-profiles all', { kind: 'list', fun: 'list_profiles', provider: 'all' }],
    ['--list-sizes my-ec2', { kind: 'list', fun: 'list_sizes', provider: 'my-ec2' }],
    ['-m web.map', { kind: 'map', path: 'web.map', names: [], what: { kind: 'make' } }],
    ['-m web.map web1', { kind: 'map', path: 'web.map', names: ['web1'], what: { kind: 'make' } }],
    ['-m web.map -Q', { kind: 'map', what: { kind: 'query', query: 'list_nodes' } }],
    ['-m web.map -F', { kind: 'map', what: { kind: 'query', query: 'list_nodes_full' } }],
    ['-d -m web.map', { kind: 'map', what: { kind: 'destroy' } }],
    ['-a stop -m web.map', { kind: 'map', what: { kind: 'action', fun: 'stop' } }],
    ['-L eu-west-1 -Q', { kind: 'query', fun: 'query' }],
    ['-L eu-west-1 --list-images my-ec2', { kind: 'list', fun: 'list_images', provider: 'my-ec2' }],
    ['-d web1 -p web', { kind: 'destroy', names: ['web1'] }],
  ])('%s', async (line, action) => {
    expect(await read(line)).toMatchObject({ kind: 'invocation', action })
  })

  // The sentences are salt-cloud's of 3007.15.
  it.each([
    ['', 'Nothing was done. Using the proper arguments?'],
    ['-d', 'Nothing was done. Using the proper arguments?'],
    ['-p web', 'Nothing was done. Using the proper arguments?'],
    ['-Q -F', 'The options --query/--full-query are mutually exclusive. Please only choose one of them'],
    ['--list-images', '--list-images option requires 1 argument'],
    ['-f list_nodes', '-f option requires 2 arguments'],
    ['--list-providers x', "'--list-providers' does not accept any arguments"],
    [
      '-f list_nodes my-ec2 x',
      "Any arguments passed to --function need to be passed as kwargs. Ex: image=ami-54cf5c3d. Remaining arguments: ['x']",
    ],
  ])('refuses %j', async (line, message) => {
    expect(await read(line)).toMatchObject({
      kind: 'end',
      exit: 64,
      stderr: expect.stringContaining(`error: ${message}\n`),
    })
  })

  it('tells where another region is asked for in vain', async () => {
    const said = expect.stringContaining('Write a provider for each region')
    expect(await read('-L eu-west-1 -p web web1')).toMatchObject({ exit: 64, stderr: said })
  })

  it.each(['-H', '-b host', '-u', '--set-password a'])('tells why there is no %s', async (line) => {
    expect(await read(line)).toMatchObject({ exit: 64, stderr: expect.stringContaining('is not supported: ') })
  })
})
