// The `lambda` runner: functions of AWS Lambda, called by a reaction, an orchestration or a person.
import { parseJson, pythonStr, pythonTruth, stringifyJson, type Value } from '../../core/value/index.ts'
import { type MasterFunction, MisuseError, RunError } from '../run.ts'
import { docOf } from './runner-doc.ts'

/** A call of a function. */
export interface LambdaCall {
  /** A name, a partial or a whole ARN. */
  readonly name: string
  /** A version or an alias. */
  readonly qualifier?: string | undefined
  /** JSON. */
  readonly payload: string
  /** Resolve when Lambda has taken it, which then runs it once or more. */
  readonly detached: boolean
}

/** What a call led to. */
export interface LambdaAnswer {
  /** 200 for an answer, 202 for a call that Lambda has taken. */
  readonly status: number
  /** What the function answered, or its error; empty for a detached call. */
  readonly payload: string
  /** `Unhandled` and the like, where the function failed. */
  readonly error?: string
  readonly version?: string
}

/** Calls functions of the account that the master is in. Rejects where Lambda does not let it. */
export type InvokeLambda = (call: LambdaCall) => Promise<LambdaAnswer>

/** Bytes that Lambda takes: of a call that is waited for, and of a detached one. */
const most = { waited: 6 * 1024 * 1024, detached: 1024 * 1024 }

/** The function. A platform without AWS gives none to call with. */
export function lambdaRunner(invoke: InvokeLambda | undefined): Record<string, MasterFunction> {
  return {
    'lambda.invoke': {
      signature: {
        params: [
          { name: 'name' },
          { name: 'payload', default: null },
          { name: 'async', default: false },
          { name: 'qualifier', default: null },
        ],
      },
      doc: docOf(
        `Call a function of AWS Lambda and return its answer: status, payload (read as JSON) and version. A function that
    fails makes the run fail, with its error in the return. With async=True Lambda takes the call and runs it by itself.

    The master needs lambda:InvokeFunction on it: on AWS the construct's invokableFunctions grant it, elsewhere the
    credentials of the master's environment.`,
        [
          'lambda.invoke resize-images payload=\'{"bucket": "photos"}\'',
          'lambda.invoke resize-images qualifier=live async=True',
        ],
      ),
      async run({ named }) {
        if (invoke === undefined)
          throw new RunError('This master has no way to AWS Lambda: it was started without the AWS parts.')
        const name = pythonStr(named.name ?? '')
        if (!/^[\w:$-]+$/.test(name)) throw new MisuseError(`${JSON.stringify(name)} is no function's name or ARN.`)
        const detached = pythonTruth(named.async ?? false)
        const payload = stringifyJson(named.payload ?? {})
        const limit = detached ? most.detached : most.waited
        const size = Buffer.byteLength(payload)
        if (size > limit)
          throw new RunError(`The payload has ${size} bytes; Lambda takes ${limit}. Put it into S3 and send its key.`)
        const { qualifier = null } = named
        const answer = await invoke({
          name,
          payload,
          detached,
          ...(qualifier === null ? {} : { qualifier: pythonStr(qualifier) }),
        })
        const told = {
          status: answer.status,
          ...(answer.payload === '' ? {} : { payload: readAnswer(answer.payload) }),
          ...(answer.version === undefined ? {} : { version: answer.version }),
        }
        if (answer.error === undefined) return told
        throw new RunError(`${name} failed: ${answer.error}`, { ...told, error: answer.error })
      },
    },
  }
}

/** What is no JSON is told as it is. */
function readAnswer(text: string): Value {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
