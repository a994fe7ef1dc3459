// A custom resource's request and its answer, as CloudFormation wants them.
import { BrineError, messageOf } from '../../../core/error.ts'

/** What CloudFormation asks of a custom resource. */
export interface CustomRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete'
  readonly ResponseURL: string
  readonly StackId: string
  readonly RequestId: string
  readonly LogicalResourceId: string
  readonly PhysicalResourceId?: string
  readonly ResourceProperties: Readonly<Record<string, string>>
}

/** Does the work and answers, whatever comes of it: a stack whose resource does not answer waits for an hour. */
export async function answerRequest(
  request: CustomRequest,
  work: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const id = { StackId: request.StackId, RequestId: request.RequestId, LogicalResourceId: request.LogicalResourceId }
  const PhysicalResourceId = request.PhysicalResourceId ?? request.LogicalResourceId
  let answer: object
  try {
    answer = { ...id, PhysicalResourceId, Status: 'SUCCESS', Data: await work() }
  } catch (error) {
    answer = { ...id, PhysicalResourceId, Status: 'FAILED', Reason: messageOf(error).slice(0, 1000) }
  }
  // The URL is signed for a request without a content type.
  const response = await fetch(request.ResponseURL, {
    method: 'PUT',
    body: JSON.stringify(answer),
    headers: { 'content-type': '' },
  })
  if (!response.ok)
    throw new BrineError(`CloudFormation did not take the answer of a custom resource: ${response.status}.`, {
      code: 'deployment',
    })
}
