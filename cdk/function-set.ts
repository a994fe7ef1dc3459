// The Lambda functions: bundled once at synth, all with the same habits.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

/** What one function needs. */
export interface FunctionNeeds {
  /** The file in functions/, without its ending. */
  readonly entry: string
  readonly about: string
  /** Seconds. */
  readonly timeout: number
  /** MB; the share of a processor grows with it. */
  readonly memory: number
  readonly environment?: Readonly<Record<string, string>>
  /** A folder of runners that stands beside its code. @default - none */
  readonly runners?: string | undefined
  readonly concurrency?: number | undefined
  /** How often Lambda tries an asynchronous invocation again. @default - Lambda's own: twice */
  readonly retryAttempts?: number
}

/** What all functions of a set have in common. */
export interface CommonNeeds {
  readonly environment: Readonly<Record<string, string>>
  readonly concurrency: number | undefined
  /** The folder with a bundle for each entry; made where there is none. */
  readonly bundles: string | undefined
}

const root = join(import.meta.dirname, '..')

/** Bundles all functions into a new folder. Throws where one does not build or is too large. */
function bundled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brine-functions-'))
  execFileSync(process.execPath, [join(root, 'scripts/bundle-functions.mjs'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return folder
}

/** The bundle, or a copy of it with the runners in it. */
function withRunners(bundle: string, runners: string | undefined): string {
  if (runners === undefined) return bundle
  const both = mkdtempSync(join(tmpdir(), 'brine-function-'))
  cpSync(bundle, both, { recursive: true })
  cpSync(runners, join(both, 'runners'), { recursive: true })
  return both
}

/** Makes functions below one construct. */
export class FunctionSet extends Construct {
  readonly #common: CommonNeeds
  readonly #bundles: string
  readonly all: LambdaFunction[] = []

  constructor(scope: Construct, id: string, common: CommonNeeds) {
    super(scope, id)
    this.#common = common
    this.#bundles = common.bundles ?? bundled()
  }

  /** One function: Node 22 on arm64, traced, with a log of its own that goes with the stack. */
  add(id: string, needs: FunctionNeeds): LambdaFunction {
    const concurrency = needs.concurrency ?? this.#common.concurrency
    const logGroup = new LogGroup(this, `${id}Log`, {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // A role of its own, that may write to its own log: AWS's managed policy allows every log there is.
    const role = new Role(this, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(role)
    const made = new LambdaFunction(this, id, {
      description: `Brine: ${needs.about}`,
      runtime: Runtime.NODEJS_22_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(withRunners(join(this.#bundles, needs.entry), needs.runners)),
      timeout: Duration.seconds(needs.timeout),
      memorySize: needs.memory,
      tracing: Tracing.ACTIVE,
      logGroup,
      role,
      environment: {
        ...this.#common.environment,
        POWERTOOLS_SERVICE_NAME: needs.entry,
        POWERTOOLS_METRICS_NAMESPACE: metricNamespace,
        ...needs.environment,
      },
      ...(needs.retryAttempts === undefined ? {} : { retryAttempts: needs.retryAttempts }),
      ...(concurrency === undefined ? {} : { reservedConcurrentExecutions: concurrency }),
    })
    this.all.push(made)
    return made
  }
}

/** Under which the functions' own metrics stand in CloudWatch. */
export const metricNamespace = 'Brine'
