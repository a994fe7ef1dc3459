// Scratch.
/** Scratch. */
export async function handler(event: Record<string, string>): Promise<void> {
  const body = JSON.stringify({
    Status: 'SUCCESS',
    PhysicalResourceId: 'x',
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
    Data: { Finger: 'aa:bb' },
  })
  console.log(event.ResponseURL)
  const answer = await fetch(event.ResponseURL ?? '', { method: 'PUT', body, headers: { 'content-type': '' } })
  console.log(answer.status)
}
