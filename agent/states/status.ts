// Salt's `status` states: what is watched of the machine, changing nothing.
import type { Arguments } from '../modules/arguments.ts'
import { defineState, type StateCall, type StateModule, type StateReturn, slsExample } from './state-module.ts'

async function running(args: Arguments, call: StateCall): Promise<StateReturn> {
  const name = args.text('name')
  const data = await call.salt('status.pid', [name])
  const isThere = data !== '' && data !== null
  // The space at the end is Salt's.
  const comment = `Process signature "${name}" ${isThere ? 'was' : 'not'} found `
  return { name, result: isThere, comment, changes: {}, data: isThere ? data : {} }
}

/** Salt's `status` states. */
export const status: StateModule = {
  name: 'status',
  functions: {
    process: defineState(
      'name',
      `A process runs whose command line the name, a regular expression, finds. Its ids are in the \`\`data\`\` of the return.${slsExample(`
sshd:
  status.process: []`)}`,
      running,
    ),
  },
}
