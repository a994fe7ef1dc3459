// Starts the emulator for a run of the tests against AWS's interfaces, and ends it.
import { emulatorEnvironment, startEmulator } from './emulator.ts'
import { bootstrap } from './stack.ts'

/** Vitest's global set-up: the tests find the endpoint in AWS_ENDPOINT_URL. What IAM refused, where it is asked, fails the run. */
export async function setup(): Promise<() => Promise<void>> {
  const emulator = await startEmulator()
  Object.assign(process.env, emulatorEnvironment, { AWS_ENDPOINT_URL: emulator.endpoint })
  try {
    await bootstrap()
  } catch (error) {
    await emulator.stop()
    throw error
  }
  return async () => {
    const denied = emulator.denied()
    await emulator.stop()
    if (denied.length === 0) return
    // Vitest tells of an error behind the last test, and ends well.
    process.exitCode = 1
    throw new Error(`IAM refused:\n${denied.join('\n')}`)
  }
}
