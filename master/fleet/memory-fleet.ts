// A fleet store in memory, for tests and for a master that runs no fleet: what the promises of the port look like.
import type { FleetStore, InstanceClaim, Launch } from './ports.ts'

/** A {@link FleetStore} that forgets with its process. */
export function createMemoryFleet(): FleetStore {
  const claims = new Map<string, InstanceClaim>()
  const launches = new Map<string, Launch>()
  const abandoned = new Map<string, Map<string, number>>()
  return {
    async claim(instance, claim) {
      const standing = claims.get(instance) ?? claim
      claims.set(instance, standing)
      return standing
    },
    async claimOf(instance) {
      return claims.get(instance)
    },
    // Nothing of it outlives the process, so there is no later to forget at.
    async release() {
      return undefined
    },
    async open(launch) {
      launches.set(launch.action.instance, launch)
    },
    async launches() {
      return [...launches.values()]
    },
    async close(instance) {
      return launches.delete(instance)
    },
    async abandoned(group, instance, at, since) {
      const instances = abandoned.get(group) ?? new Map<string, number>()
      abandoned.set(group, instances.set(instance, instances.get(instance) ?? at))
      return [...instances.values()].filter((time) => time >= since).length
    },
  }
}
