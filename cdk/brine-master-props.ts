// What a BrineMaster can be told.
import type { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IRole } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { ITopic } from 'aws-cdk-lib/aws-sns'

/** The props of a BrineMaster. Flat; every one may be left out. */
export interface BrineMasterProps {
  /**
   * The folder with `reactor.conf`, the SLS files and their tests (`*.test.yml`). It is checked at synth: nothing is
   * deployed whose Jinja does not parse or whose tests fail.
   * @default - the sample set in reactors/
   */
  readonly reactors?: string
  /**
   * `file_roots`: folders by saltenv, behind `salt://`.
   * @default - none
   */
  readonly fileRoots?: Readonly<Record<string, readonly string[]>>
  /**
   * `pillar_roots`: folders by saltenv.
   * @default - none
   */
  readonly pillarRoots?: Readonly<Record<string, readonly string[]>>
  /**
   * Who may log in with what, as in a master's configuration.
   * @default - nobody: the user routes take IAM's signatures alone
   */
  readonly externalAuth?: Readonly<Record<string, unknown>>
  /**
   * Further settings of a master, by Salt's names (`nodegroups`, `keep_jobs_seconds`, `timeout`, …).
   * @default - Salt's defaults
   */
  readonly settings?: Readonly<Record<string, unknown>>
  /**
   * The name that minions prove their keys to.
   * @default - the origin of the API's URL
   */
  readonly masterId?: string
  /**
   * How often presence is looked at and `salt/presence/present` fired; at least a minute.
   * @default Duration.minutes(1)
   */
  readonly presenceInterval?: Duration
  /**
   * Whether presence events are fired, as `presence_events` says.
   * @default false
   */
  readonly presenceEvents?: boolean
  /**
   * Whether the bare `<jid>` event of each job is fired beside `salt/job/<jid>/new`. Each costs one event more a job.
   * @default true
   */
  readonly legacyEvents?: boolean
  /**
   * How long the event log keeps an event.
   * @default Duration.days(1)
   */
  readonly eventRetention?: Duration
  /**
   * An EventBridge archive of the bus, for `event.replay` beyond the log's retention.
   * @default - none
   */
  readonly archive?: Duration
  /**
   * Where alarms go.
   * @default - alarms have no action
   */
  readonly alarmTopic?: ITopic
  /**
   * What becomes of tables, buckets and keys when the stack goes.
   * @default RemovalPolicy.DESTROY
   */
  readonly removalPolicy?: RemovalPolicy
  /**
   * Sources that stand for `aws.ec2` and `aws.autoscaling`, which only AWS may use. For emulators and for drills.
   * @default - none
   */
  readonly simulatedSources?: readonly string[]
  /**
   * Auto Scaling groups (globs) whose instances may prove who they are.
   * @default - every group: `data.identity.asg` of `salt/auth` says which
   */
  readonly identityGroups?: readonly string[]
  /**
   * Accounts whose instances may prove who they are.
   * @default - the stack's own
   */
  readonly identityAccounts?: readonly string[]
  /**
   * Regions likewise.
   * @default - the stack's own
   */
  readonly identityRegions?: readonly string[]
  /**
   * Certificates (PEM) by region, beside AWS's own that Brine knows.
   * @default - none
   */
  readonly identityCertificates?: Readonly<Record<string, string | readonly string[]>>
  /**
   * Issuers of AWS STS whose web identity tokens are believed of an instance: `https://….tokens.sts.global.api.aws`.
   * @default - none: identity documents alone
   */
  readonly identityIssuers?: readonly string[]
  /**
   * The function whose job decides whether a launched instance serves.
   * @default 'test.ping'
   */
  readonly startUpJob?: string
  /**
   * Folders with runners of your own: each function that a `fleet.mjs` exports is a runner, `fleet.grow`. They are bundled
   * with what they import, and loaded once at synth: what does not load is not deployed.
   * @default - none
   */
  readonly runners?: readonly string[]
  /**
   * Functions that the runner `lambda.invoke` may call, in any version.
   * @default - none
   */
  readonly invokableFunctions?: readonly IFunction[]
  /**
   * The folder with Salt Cloud's `cloud`, `cloud.providers`, `cloud.profiles` and their `.d` folders, for `brine-cloud`. It
   * lets the function that runs runners make machines in the stack's region, and change and end those that it made.
   * @default - the master makes no machines
   */
  readonly cloud?: string
  /**
   * Roles that machines may have (`iam_profile`).
   * @default - none
   */
  readonly cloudRoles?: readonly IRole[]
  /**
   * The agent as one file, which machines of `cloud` install.
   * @default - dist/brine-minion.mjs, which `npm run build` makes
   */
  readonly agentFile?: string
  /**
   * So many invocations of the reactor at once.
   * @default - as many as the account allows
   */
  readonly reactorConcurrency?: number
  /**
   * A folder with the functions' bundles, as `node scripts/bundle-functions.mjs FOLDER` makes it.
   * @default - they are bundled at synth
   */
  readonly functionBundles?: string
  /**
   * Where an emulator answers, and what has to be left out for it.
   * @default - none: real AWS
   */
  readonly emulator?: EmulatorOptions
}

/** What differs on a LocalStack-compatible endpoint. */
export interface EmulatorOptions {
  /** `http://localhost:4566`: the WebSocket API's management endpoint is below it. */
  readonly endpoint: string
  /** Invocations of each function at once: every one is a Node process there. */
  readonly concurrency: number
  /**
   * Other endpoints of single services, by the SDK's names (`EC2`, `AUTO_SCALING`): a test's own.
   * @default - the same for all
   */
  readonly endpoints?: Readonly<Record<string, string>>
}
