// The doors: an HTTP API for minions and users, a WebSocket API for doorbells and watchers.
import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  type CfnApi,
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  type IHttpRouteAuthorizer,
  WebSocketApi,
  WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer, WebSocketLambdaAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration, WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { accept, written } from './accepted-findings.ts'

/** Requests a second that all callers together may make, and how many at once. */
const throttle = { rateLimit: 2000, burstLimit: 1000 }

/** The WebSocket API's only stage. */
const socketStage = 'live'

/** Both APIs. Routes come when the functions behind them are there, for those have to know the URLs. */
export class Doors extends Construct {
  readonly http: HttpApi
  readonly socket: WebSocketApi
  readonly socketStage: WebSocketStage
  readonly #emulator: string | undefined

  constructor(scope: Construct, id: string, emulator: string | undefined) {
    super(scope, id)
    this.#emulator = emulator
    this.http = new HttpApi(this, 'Http', {
      description: 'Brine: minions, commands, library',
      createDefaultStage: true,
    })
    this.socket = new WebSocketApi(this, 'Socket', {
      description: 'Brine: doorbells and watchers',
      routeSelectionExpression: '$request.body.action',
    })
    this.socketStage = new WebSocketStage(this, 'SocketStage', {
      webSocketApi: this.socket,
      stageName: socketStage,
      autoDeploy: true,
      throttle,
    })
    this.#log('HttpLog', this.http.defaultStage?.node.defaultChild)
    accept(
      this.socketStage,
      'APIG1',
      "API Gateway writes logs of sockets only by a role that is set for the whole account, which is not this stack's to set.",
    )
    const stage = this.http.defaultStage?.node.defaultChild
    if (stage instanceof CfnStage)
      stage.defaultRouteSettings = {
        throttlingRateLimit: throttle.rateLimit,
        throttlingBurstLimit: throttle.burstLimit,
      }
  }

  /** The bootstrap URL. */
  get url(): string {
    return this.#emulator === undefined
      ? this.http.apiEndpoint
      : `${this.#emulator}/_aws/execute-api/${this.http.apiId}/$default`
  }

  /** Where sockets are opened. */
  get socketUrl(): string {
    return this.#emulator === undefined
      ? this.socketStage.url
      : `${this.#emulator.replace(/^http/, 'ws')}/_aws/execute-api/${this.socket.apiId}/${socketStage}`
  }

  /** Where messages to open sockets are posted. */
  get connectionsEndpoint(): string {
    return this.#emulator === undefined
      ? this.socketStage.callbackUrl
      : `${this.#emulator}/_aws/execute-api/${this.socket.apiId}/${socketStage}`
  }

  /**
   * Minions prove themselves by their tokens, which the gateway checks. All else is for IAM's signatures; where users may
   * log in (`external_auth`), the gateway checks their tokens too, and lets nobody in without one.
   */
  routeHttp(gateway: IFunction, { users }: { readonly users: boolean }): void {
    const integration = new HttpLambdaIntegration('Gateway', gateway)
    const own = [HttpMethod.GET, HttpMethod.POST]
    const add = (path: string, methods: HttpMethod[], authorizer: IHttpRouteAuthorizer): void => {
      this.http.addRoutes({ path, methods, integration, authorizer })
    }
    add('/minion/{proxy+}', own, new HttpNoneAuthorizer())
    // What watches from outside has no credentials of ours.
    for (const path of ['/health', '/ready']) add(path, [HttpMethod.GET], new HttpNoneAuthorizer())
    // A browser's pages ask with more methods than these two; commands do not.
    for (const path of ['/', '/{proxy+}'])
      add(path, users ? [HttpMethod.ANY] : own, users ? new HttpNoneAuthorizer() : new HttpIamAuthorizer())
    accept(
      this.http,
      'APIG4',
      'The gateway itself checks the token of every route that IAM does not; /minion/token proves a key, /health and /ready say no more than that.',
    )
  }

  /** The function admits at `$connect`, by token or by IAM, and hears of what happens to a socket. */
  routeSocket(socket: IFunction): void {
    // Minions and programs show a token in a header; a browser has none to send with a socket, and shows a ticket.
    const authorizer = new WebSocketLambdaAuthorizer('Admit', socket, { identitySource: [] })
    this.socket.addRoute('$connect', { integration: new WebSocketLambdaIntegration('Connect', socket), authorizer })
    this.socket.addRoute('$disconnect', { integration: new WebSocketLambdaIntegration('Disconnect', socket) })
    this.socket.addRoute('$default', { integration: new WebSocketLambdaIntegration('Message', socket) })
    accept(this.socket, 'APIG4', 'A socket is admitted once, at $connect; the other routes are of sockets that were.')
  }

  /** The ARN that a function needs to post to sockets. */
  get connectionsArn(): string {
    return Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.socket.apiId,
      resourceName: `${socketStage}/POST/@connections/*`,
    })
  }

  /** The same as cdk-nag writes it in a finding. */
  get connectionsFinding(): string {
    const stack = Stack.of(this)
    const api = stack.resolve(stack.getLogicalId(this.socket.node.defaultChild as CfnApi))
    return `Resource::arn:<AWS::Partition>:execute-api:${written(stack.region, 'Region')}:${written(stack.account, 'AccountId')}:<${api}>/${socketStage}/POST/@connections/*`
  }

  #log(id: string, stage: unknown): void {
    if (!(stage instanceof CfnStage)) return
    const group = new LogGroup(this, id, { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY })
    stage.accessLogSettings = {
      destinationArn: group.logGroupArn,
      format: JSON.stringify({
        time: '$context.requestTime',
        request: '$context.requestId',
        ip: '$context.identity.sourceIp',
        route: '$context.routeKey',
        status: '$context.status',
        bytes: '$context.responseLength',
        error: '$context.integrationErrorMessage',
      }),
    }
  }
}
