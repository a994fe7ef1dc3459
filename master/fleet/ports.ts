// What fleets on EC2 need from outside: what AWS knows of an instance, its lifecycle hooks, and what must be remembered.
// Times are microseconds since 1970.
import type { Jid, MinionId } from '../../core/event/event.ts'

/** What EC2 and Auto Scaling say of an instance right now. */
export interface Instance {
  readonly id: string
  /** EC2's word: `pending`, `running`, `shutting-down`, `terminated`, `stopping`, `stopped`. */
  readonly state: string
  readonly launchedAt: number
  /** Its Auto Scaling group; absent where it is in none. */
  readonly group?: string
  /** Auto Scaling's word: `Pending:Wait`, `InService`, … */
  readonly lifecycle?: string
}

/** Asks AWS. An instance that AWS does not know is absent from the answer; a refusal or a throttle throws. */
export interface Instances {
  find(region: string, ids: readonly string[]): Promise<ReadonlyMap<string, Instance>>
}

/** One waiting lifecycle action, as its event names it. */
export interface LifecycleAction {
  readonly region: string
  readonly group: string
  readonly hook: string
  readonly token: string
  readonly instance: string
}

/** Ends or prolongs a lifecycle action. `gone` where AWS no longer waits for it: it timed out or was completed before. */
export interface Lifecycle {
  complete(action: LifecycleAction, result: 'CONTINUE' | 'ABANDON'): Promise<'done' | 'gone'>
  heartbeat(action: LifecycleAction): Promise<'done' | 'gone'>
}

/** Which key speaks for an instance. */
export interface InstanceClaim {
  readonly minion: MinionId
  /** The key's finger. */
  readonly finger: string
  readonly at: number
}

/** An instance that waits in its launch hook for its start-up job. */
export interface Launch {
  readonly action: LifecycleAction
  readonly at: number
  /** The start-up job, once it was published. */
  readonly jid?: Jid
  readonly minion?: MinionId
}

/**
 * What fleets remember. Every write is durable when its promise resolves.
 *
 * Promises: the first claim of an instance stands until it is released, whoever asks later; `close` is true for one
 * caller alone, so that a launch ends once.
 */
export interface FleetStore {
  /** Claims an instance for a key; answers the claim that stands. */
  claim(instance: string, claim: InstanceClaim): Promise<InstanceClaim>
  claimOf(instance: string): Promise<InstanceClaim | undefined>
  /** Forgets a claim after that time: an instance's last events come after its end. */
  release(instance: string, after: number): Promise<void>
  /** Stores a launch, over what was stored of the same instance. */
  open(launch: Launch): Promise<void>
  launches(): Promise<readonly Launch[]>
  close(instance: string): Promise<boolean>
  /** Notes that a group's instance was given up; answers how many were since, this one counted once however often it is noted. */
  abandoned(group: string, instance: string, at: number, since: number): Promise<number>
}
