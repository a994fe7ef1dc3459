// What GET answers where there is nothing to get: the clients there are.
import { clientNames } from './lowstate.ts'
import type { Page } from './page.ts'

/** The page that says so. */
export function welcome(path: string): Page {
  return {
    method: 'GET',
    path,
    who: ['anyone'],
    about: 'says welcome, and which clients there are',
    allow: 'GET, HEAD, POST',
    session: false,
    async answer() {
      return { value: { return: 'Welcome', clients: [...clientNames] } }
    },
  }
}
