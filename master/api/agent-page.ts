// The agent as one file, for machines that `cloud.*` makes: they know its hash beforehand.
import { agentPath } from '../cloud/ports.ts'
import { openPage } from './folder-file.ts'
import type { Route } from './route.ts'

/** The route. `read` answers the file's bytes, undefined where this master has none to give. */
export function agentPage(read: () => Promise<Uint8Array | undefined>): Route {
  return {
    ...openPage,
    path: agentPath,
    about: 'the agent, for machines that this master made',
    async handle() {
      const bytes = await read()
      if (bytes === undefined)
        return new Response('Not found\n', { status: 404, headers: { 'content-type': 'text/plain' } })
      return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'text/javascript' } })
    },
  }
}
