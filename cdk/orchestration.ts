// The state machine that orchestrations go through, and who may begin its executions and go on with them.
import { ArnFormat, Stack } from 'aws-cdk-lib'
import { Grant, type IGrantable, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { DefinitionBody, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { holdPartition, machineName, orchestrationMachine } from '../platform/aws/layout/index.ts'
import { accept } from './accepted-findings.ts'
import type { Storage } from './storage.ts'

/** What the machine is joined to. */
export interface OrchestrationNeeds {
  /** Takes one turn. */
  readonly turn: LambdaFunction
  readonly storage: Storage
  /** What stands before the machine's name. */
  readonly prefix: string
  readonly emulator: boolean
}

/** Seconds that a token is held on an emulator, which reads no timeout from the input: turns are then taken more often. */
const emulatedPatience = 3

/** The ARN of a machine that is known by its name: the functions that it calls may call it. */
export function machineArn(scope: Construct, prefix: string): string {
  return Stack.of(scope).formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: machineName(prefix),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** One Standard state machine; it may invoke the function, write its token, and begin itself anew. */
export class OrchestrationMachine extends Construct {
  readonly #arn: string
  /** The ARN of every execution. */
  readonly executions: string

  constructor(scope: Construct, id: string, { turn, storage, prefix, emulator }: OrchestrationNeeds) {
    super(scope, id)
    this.#arn = machineArn(this, prefix)
    this.executions = Stack.of(this).formatArn({
      service: 'states',
      resource: 'execution',
      resourceName: `${machineName(prefix)}:*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    const table = storage.table('State')
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [turn.functionArn] }))
    role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [table.tableArn],
        conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [holdPartition] } },
      }),
    )
    role.addToPolicy(new PolicyStatement({ actions: ['states:StartExecution'], resources: [this.#arn] }))
    const definition = orchestrationMachine({
      turnFunction: turn.functionArn,
      stateTable: table.tableName,
      patience: emulator ? emulatedPatience : 'as the turn says',
    })
    const machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(prefix),
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      role,
      tracingEnabled: true,
    })
    accept(
      machine,
      'SF1',
      'Step Functions keeps the history of each execution for 90 days, and the record of an orchestration tells its steps.',
    )
  }

  /** Lets somebody begin executions, and ask whether one still runs. */
  grantBegin(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['states:StartExecution'], resourceArns: [this.#arn] })
    Grant.addToPrincipal({ grantee, actions: ['states:DescribeExecution'], resourceArns: [this.executions] })
  }

  /** Lets somebody return the token that an execution waits with. */
  grantWake(grantee: IGrantable): void {
    Grant.addToPrincipal({ grantee, actions: ['states:SendTaskSuccess'], resourceArns: [this.#arn] })
  }
}
