// Fleets on EC2: cloud events, launch hooks, the sweep.
export {
  createLaunches,
  defaultLaunchOptions,
  type Launches,
} from './launches.ts'
export type * from './ports.ts'
export { sweepInstances } from './sweep.ts'
