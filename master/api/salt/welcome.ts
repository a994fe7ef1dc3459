// What GET answers where there is nothing to get: the clients there are.

import { ApiError } from './error-page.ts'
import { clientNames } from './lowstate.ts'
import type { Page } from './page.ts'

/** A page that takes no arguments is no resource with some. */
export function withoutQuery(query: URLSearchParams): void {
  if (query.size > 0) throw new ApiError(404, 'Nothing matches the given URI')
}

/** The page that says so. */
export function welcome(path: string): Page {
  return {
    method: 'GET',
    path,
    who: ['anyone'],
    about: 'says welcome, and which clients there are',
    allow: 'GET, HEAD, POST',
    session: false,
    async answer({ query }) {
      withoutQuery(query)
      return { value: { return: 'Welcome', clients: [...clientNames] } }
    },
  }
}
