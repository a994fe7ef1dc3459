// Fleets on EC2: cloud events, launch hooks, the sweep.
export { type CloudEvent, readCloudEvent } from './cloud-event.ts'
export {
  createLaunches,
  defaultLaunchOptions,
  type Launches,
  type LaunchOptions,
  type LaunchRound,
} from './launches.ts'
export type * from './ports.ts'
export { sweepInstances } from './sweep.ts'
