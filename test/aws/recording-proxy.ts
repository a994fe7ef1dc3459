// EC2 on the emulator, with what it is asked read on the way: the emulator keeps no user data.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { emulatorClients } from './resources.ts'

/** The way to the emulator. */
export interface RecordingProxy {
  readonly url: string
  /** The form of each request so far. */
  readonly asked: readonly URLSearchParams[]
  close(): Promise<void>
}

/** Starts it on a free port of loopback. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const asked: URLSearchParams[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    asked.push(new URLSearchParams(body))
    const { authorization = '', 'content-type': type = '' } = request.headers
    const headers = { authorization, 'content-type': type }
    const answer = await fetch(emulatorClients().endpoint, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
