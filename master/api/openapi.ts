// The declared routes as an OpenAPI 3.1 document; bodies come from their zod schemas.
import * as z from 'zod/mini'
import type { Mapping, Value } from '../../core/value/index.ts'
import type { Audience, Route } from './route.ts'

/** Says of each audience how it proves itself. */
const schemes: Readonly<Record<Exclude<Audience, 'anyone' | 'local'>, readonly Mapping[]>> = {
  user: [{ token: [] }, { bearer: [] }, { session: [] }],
  minion: [{ minion: [] }],
}

/** The document. Routes for the master's own socket alone are left out: they are no part of what others may rely on. */
export function openApi(routes: readonly Route[], version: string): Mapping {
  const paths: Record<string, Record<string, Value>> = {}
  for (const route of routes) {
    if (route.who.every((who) => who === 'local')) continue
    const path = route.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}')
    paths[path] ??= {}
    Object.assign(paths[path], { [route.method.toLowerCase()]: operation(route, path) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Brine',
      version,
      description: "salt-api's pages (rest_cherrypy), the minions' routes, and what monitoring asks.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'A token of /login.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same token.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session_id',
          description: "The session's cookie, set by /login.",
        },
        query: { type: 'apiKey', in: 'query', name: 'token', description: 'A token, in the address.' },
        minion: { type: 'http', scheme: 'bearer', description: 'A token of /minion/token.' },
      },
    },
  }
}

function operation(route: Route, path: string): Mapping {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']): Value => ({ name, in: 'path', required: true, schema: { type: 'string' } }),
  )
  const security = [
    ...route.who.flatMap((who) => (who === 'anyone' ? [{}] : who === 'local' ? [] : schemes[who])),
    ...(route.queryToken === true ? [{ query: [] }] : []),
  ]
  return {
    summary: route.about,
    operationId: `${route.method.toLowerCase()}${path.replace(/[^a-z0-9]+/gi, '_').replace(/_$/, '')}`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: contentOf(route.body) } }),
    security,
    responses: { default: { description: route.about } },
  }
}

function contentOf(schema: z.ZodMiniType): Mapping {
  // What JSON Schema cannot say (a value of any kind) is anything there.
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { 'application/json': { schema: shape as Mapping } }
}
