// What `cloud.*` needs from outside: machines on EC2, what the configuration says now, and what must be remembered while
// a machine is made. Times are microseconds since 1970.
import type { CloudConfig } from '../../core/cloud/index.ts'
import type { MinionId } from '../../core/event/event.ts'
import type { Mapping } from '../../core/value/index.ts'

/** Where and as whom EC2 is asked. Without credentials: those of the master's environment. */
export interface Place {
  readonly region: string
  readonly credentials?: { readonly id: string; readonly key: string }
  /** A URL, in place of AWS's own. */
  readonly endpoint?: string
}

/** Which machines are meant; of several conditions all hold. */
export interface WhichMachines {
  readonly id?: string
  /** The tag `Name`. */
  readonly name?: string
}

/** What is asked of a machine that is there. */
export type MachineChange = 'start' | 'stop' | 'reboot' | 'terminate' | 'protect' | 'unprotect'

/** What {@link Machines.find} knows by name. An image's `root` is the name of its root device. */
export type Findable = 'image' | 'root' | 'subnet' | 'group'

/** What a region offers. */
export type Offer = 'locations' | 'images' | 'sizes'

/**
 * Machines of EC2. What it tells of them has the names and the nesting of EC2's own answers (`instanceId`,
 * `instanceState: {code, name}`, `tagSet: {item: …}`), all values as text, as Salt hands them on.
 *
 * Promises: `run` makes at most one machine for a token, whoever repeats it and however often; a machine has its tags from
 * its first moment. What EC2 refuses is a BrineError `ec2` with EC2's code and sentence; trouble that may pass is `busy`
 * or `throttled`. A list may lag some seconds behind what was changed.
 */
export interface Machines {
  list(place: Place, which?: WhichMachines): Promise<readonly Mapping[]>
  /** `order` is RunInstances' input, without token and tags. Answers the machine and the account it is in. */
  run(place: Place, order: Mapping, token: string, tags: Readonly<Record<string, string>>): Promise<MadeMachine>
  change(place: Place, id: string, change: MachineChange): Promise<Mapping>
  tag(place: Place, id: string, tags: Readonly<Record<string, string>>): Promise<void>
  /** Undefined where nothing has the name. Of several images the newest. */
  find(place: Place, what: Findable, name: string): Promise<string | undefined>
  /** `owner` narrows images. */
  offers(place: Place, what: Offer, owner: string): Promise<Mapping>
}

/** A machine that was asked for. */
export interface MadeMachine {
  readonly machine: Mapping
  readonly account: string
}

/** A machine whose minion is awaited. */
export interface Expected {
  readonly minion: MinionId
  readonly account: string
  readonly region: string
  readonly profile: string
  /** `alias:driver`. */
  readonly provider: string
  /** Until when it may speak for the first time. */
  readonly until: number
  /** The key that spoke for it. */
  readonly finger?: string
}

/**
 * What is remembered while machines are made. Every write is durable when its promise resolves.
 *
 * Promises: of all who begin a name before it ended, or its time is over, everybody is answered the first one's token; the
 * first claim of an expected machine stands, and everybody is answered the key that made it.
 */
export interface CloudStore {
  begin(name: string, token: string, until: number): Promise<string>
  /** The token under which the name is being made; undefined where it is not. */
  begun(name: string): Promise<string | undefined>
  ended(name: string): Promise<void>
  /** Over what was expected of the same machine; a claim that was made stands. */
  expect(instance: string, expected: Expected): Promise<void>
  /** Undefined where the machine is not expected, or its time is over. */
  expected(instance: string): Promise<Expected | undefined>
  /** The same, with the key that spoke for it: this one, or one before. */
  claim(instance: string, finger: string): Promise<Expected | undefined>
  forget(instance: string): Promise<void>
}

/** What a new machine installs to become a minion. */
export interface AgentSource {
  /** SHA-256 of the agent's file, hex. */
  readonly hash: string
  /** The systemd unit. */
  readonly unit: string
}

/** How a new minion reaches this master, and what it pins. */
export interface MasterPlace {
  /** What minions have as `master` where their settings name none. */
  readonly url: string
  /** What they name in their assertions. */
  readonly id: string
  /** The finger of the key that signs jobs. */
  readonly finger: string
  /** The fingerprint of the master's certificate, where no authority vouches for it. */
  readonly tlsFinger?: string
}

/** What the platform adds for `cloud.*`. */
export interface CloudOutside {
  readonly machines: Machines
  readonly store: CloudStore
  /** The configuration as it is now. Throws what is wrong with it. */
  readonly config: () => Promise<CloudConfig>
  /** A file named by the configuration, such as `userdata_file`; undefined where it is not there. */
  readonly readText: (path: string) => Promise<string | undefined>
  /** What new machines install, from {@link agentPath} of this master; undefined where it has no agent to give. */
  readonly agent: () => Promise<AgentSource | undefined>
  readonly master: () => Promise<MasterPlace>
  /** What every machine bears besides its own tags. */
  readonly tags: Readonly<Record<string, string>>
  readonly warn: (message: string) => void
}

/** Where a master gives its agent, below its URL. */
export const agentPath = '/minion/agent'
