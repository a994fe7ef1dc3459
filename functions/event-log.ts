// Scratch, replaced before the first commit.
/** Echo. */
export async function handler(event: unknown): Promise<unknown> {
  console.log(JSON.stringify(event))
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
    batchItemFailures: [],
    isAuthorized: true,
    principalId: 'x',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: '*' }],
    },
  }
}
