// What a fake server was asked.
import type { IncomingMessage } from 'node:http'

/** The body of a request; undefined where it was cut off before its end. */
export async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}
