// Starts the emulator for a run of the tests against AWS's interfaces, and ends it.
import { emulatorEnvironment, startEmulator } from './emulator.ts'

/** Vitest's global set-up: the tests find the endpoint in AWS_ENDPOINT_URL. */
export async function setup(): Promise<() => Promise<void>> {
  const emulator = await startEmulator()
  Object.assign(process.env, emulatorEnvironment, { AWS_ENDPOINT_URL: emulator.endpoint })
  return () => emulator.stop()
}
