// The contract of machines, run against the adapter of EC2 on an emulator, and what goes over the wire.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { ec2Machines } from '../../platform/aws/cloud/ec2-machines.ts'
import { describeMachinesContract } from '../contract/machines.contract.ts'
import { emulatorClients } from './resources.ts'

describeMachinesContract(
  'ec2',
  async () => {
    const subject = { port: ec2Machines(emulatorClients()), reopen: async () => subject, close: async () => undefined }
    return subject
  },
  {
    'makes one machine for a token':
      'the emulator knows no client tokens; the request below shows that EC2 is given one',
  },
)

it('gives EC2 the client token, the tags of machine and volumes, and the credentials of the place', async () => {
  const seen: { form: URLSearchParams; authorization: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      seen.push({ form, authorization: request.headers.authorization ?? '' })
      const refused = seen.length === 1
      response.writeHead(refused ? 503 : 400, { 'content-type': 'text/xml' })
      const code = refused ? 'Unavailable' : 'IdempotentParameterMismatch'
      response.end(`<Response><Errors><Error><Code>${code}</Code><Message>no</Message></Error></Errors></Response>`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const place = { region: 'eu-west-1', endpoint, credentials: { id: 'AKIAEXAMPLE', key: 'secret' } }
    const order = { ImageId: 'ami-1', MinCount: 1, MaxCount: 1, Placement: { Tenancy: 'dedicated' } }
    await expect(ec2Machines().run(place, order, 'token-1', { Name: 'web1' })).rejects.toMatchObject({
      code: 'ec2',
      message: 'IdempotentParameterMismatch: no',
    })
    // The first answer may pass: the SDK asked again, with the same token.
    expect(seen.map(({ form }) => form.get('ClientToken'))).toEqual(['token-1', 'token-1'])
    const [{ form, authorization } = { form: new URLSearchParams(), authorization: '' }] = seen
    expect(authorization).toContain('Credential=AKIAEXAMPLE/')
    expect(authorization).toContain('/eu-west-1/ec2/')
    expect(Object.fromEntries(form)).toMatchObject({
      Action: 'RunInstances',
      ImageId: 'ami-1',
      'Placement.Tenancy': 'dedicated',
      'TagSpecification.1.ResourceType': 'instance',
      'TagSpecification.1.Tag.1.Key': 'Name',
      'TagSpecification.1.Tag.1.Value': 'web1',
      'TagSpecification.2.ResourceType': 'volume',
    })
  } finally {
    server.close()
  }
})
