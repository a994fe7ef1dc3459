// Where the folders are, by the environment: what is empty says nothing, and without a home there is the root.
import { userInfo } from 'node:os'
import { expect, it } from 'vitest'
import { placesOf } from './config-files.ts'

const fred = {
  configDir: '/home/fred/.config/brine',
  stateDir: '/home/fred/.local/state/brine',
  runtimeDir: '/home/fred/.local/state/brine/run',
  logDir: '/home/fred/.local/state/brine/log',
}

it.each([
  ['HOME alone', { HOME: '/home/fred' }, fred],
  [
    'empty variables',
    { HOME: '/home/fred', BRINE_CONFIG_DIR: '', XDG_CONFIG_HOME: '', XDG_STATE_HOME: '', XDG_RUNTIME_DIR: '' },
    fred,
  ],
  [
    'full ones',
    { HOME: '/home/fred', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_RUNTIME_DIR: '/r' },
    { configDir: '/c/brine', stateDir: '/s/brine', runtimeDir: '/r/brine', logDir: '/s/brine/log' },
  ],
  [
    'an empty HOME',
    { HOME: '', BRINE_CONFIG_DIR: '/c' },
    { configDir: '/c', stateDir: `${home()}/.local/state/brine` },
  ],
])('are found with %s', (_, environment, expected) => {
  expect(placesOf(undefined, environment, false)).toMatchObject(expected)
})

/** That of the account, where there is one. */
function home(): string {
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}
