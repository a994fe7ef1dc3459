// The state machine of orchestrations: turn after turn, and between two of them one token that is waited with.
import type { Jid } from '../../../core/event/event.ts'
import { holdPartition } from './keys.ts'

/** What an execution begins with, and what each turn hands to the next. */
export interface TurnOrder {
  readonly jid: Jid
  /** What is run, in a line: the names of the SLS files. */
  readonly sls: string
  readonly user: string
  /** Which execution of the orchestration's this is; counted from 1. */
  readonly part: number
  /** Turns of this execution so far. */
  readonly turns: number
}

/** What a turn answers: where the machine goes. */
export type TurnAnswer = TurnOrder &
  (
    | {
        readonly next: 'wait'
        /** Whole seconds until a turn is taken although nothing was heard of. */
        readonly seconds: number
        /** The news that the turn knew: the token is held only while there are no others. */
        readonly news: string
        /** For people: what is waited for. */
        readonly waiting: readonly string[]
      }
    | { readonly next: 'renew'; readonly name: string }
    | { readonly next: 'done' }
    | { readonly next: 'failed'; readonly error: string; readonly cause: string }
  )

/** Turns of one execution: its history holds 25,000 events, and a turn with its wait writes 13. */
export const turnsOfExecution = 1000

/** The name of an orchestration's execution. */
export function executionName(jid: Jid, part: number): string {
  return part === 1 ? jid : `${jid}-${part}`
}

/** The name of the state machine; `prefix` is the stack's own. */
export function machineName(prefix: string): string {
  return `${prefix}orchestrations`
}

/** What the machine is made of. */
export interface MachineParts {
  /** The ARN of the function that takes turns. */
  readonly turnFunction: string
  /** The name of the table State. */
  readonly stateTable: string
  /** How long a token is held: as long as the turn says; or so many seconds, where an endpoint reads no timeout from the input. */
  readonly patience: 'as the turn says' | number
}

const takeTurn = 'Take a turn'
const next = 'What is next?'
const wait = 'Wait until a step ends'
const soon = 'Look again soon'
const renew = 'Go on in a new execution'
const done = 'Every step went well'
const renewed = 'The new execution goes on'
const failed = 'It did not end well'

/** Any failure, again and again for about two hours; whoever looks after orchestrations then begins another execution. */
const again = [
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 1,
    BackoffRate: 2,
    MaxDelaySeconds: 300,
    MaxAttempts: 30,
    JitterStrategy: 'FULL',
  },
]

/**
 * The machine in Amazon's States Language.
 *
 * INVARIANTS
 * - news that came since the turn looked keep the token from being held: another turn is taken at once.
 * - a token nobody returns is given up after the turn's seconds: a wake-up that is lost delays and hangs nothing.
 */
export function orchestrationMachine({ turnFunction, stateTable, patience }: MachineParts): object {
  const timeout = patience === 'as the turn says' ? { TimeoutSecondsPath: '$.seconds' } : { TimeoutSeconds: patience }
  return {
    Comment: 'Brine: an orchestration, turn by turn',
    StartAt: takeTurn,
    States: {
      [takeTurn]: {
        Type: 'Task',
        Comment: 'Notes what has ended, begins what is ready',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { FunctionName: turnFunction, 'Payload.$': '$' },
        OutputPath: '$.Payload',
        TimeoutSeconds: 90,
        Retry: again,
        Next: next,
      },
      [next]: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.next', StringEquals: 'wait', Next: wait },
          { Variable: '$.next', StringEquals: 'renew', Next: renew },
          { Variable: '$.next', StringEquals: 'done', Next: done },
        ],
        Default: failed,
      },
      [wait]: {
        Type: 'Task',
        Comment: 'Leaves a token where returns, events and people find it',
        Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
        Parameters: {
          TableName: stateTable,
          Key: { pk: { S: holdPartition }, sk: { 'S.$': '$.jid' } },
          UpdateExpression: 'SET #token = :token',
          ConditionExpression: 'news = :news',
          ExpressionAttributeNames: { '#token': 'token' },
          ExpressionAttributeValues: { ':token': { 'S.$': '$$.Task.Token' }, ':news': { 'N.$': '$.news' } },
        },
        ...timeout,
        ResultPath: null,
        Catch: [
          {
            ErrorEquals: ['States.Timeout', 'DynamoDb.ConditionalCheckFailedException'],
            ResultPath: null,
            Next: takeTurn,
          },
          { ErrorEquals: ['States.ALL'], ResultPath: null, Next: soon },
        ],
        Next: takeTurn,
      },
      [soon]: { Type: 'Wait', Seconds: 2, Next: takeTurn },
      [renew]: {
        Type: 'Task',
        Comment: `An execution's history holds so much: the next takes over after ${turnsOfExecution} turns`,
        Resource: 'arn:aws:states:::states:startExecution',
        Parameters: {
          'StateMachineArn.$': '$$.StateMachine.Id',
          'Name.$': '$.name',
          Input: {
            'jid.$': '$.jid',
            'sls.$': '$.sls',
            'user.$': '$.user',
            'part.$': '$.part',
            turns: 0,
            'AWS_STEP_FUNCTIONS_STARTED_BY_EXECUTION_ID.$': '$$.Execution.Id',
          },
        },
        Retry: [{ ...again[0], ErrorEquals: ['States.TaskFailed'], MaxAttempts: 5 }],
        Catch: [{ ErrorEquals: ['StepFunctions.ExecutionAlreadyExistsException'], ResultPath: null, Next: renewed }],
        Next: renewed,
      },
      [renewed]: { Type: 'Succeed' },
      [done]: { Type: 'Succeed' },
      [failed]: { Type: 'Fail', ErrorPath: '$.error', CausePath: '$.cause' },
    },
  }
}
