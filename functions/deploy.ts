// The function behind the stack's custom resource: puts a deployment in force, empties the bucket when the stack goes.
import { type CustomRequest, handleDeployment } from '../platform/aws/deploy/deployment.ts'
import { openDeployment } from '../platform/aws/deploy/environment.ts'

const { store, bucket } = openDeployment(process.env)

/** Takes a request of CloudFormation; the answer goes to its URL. */
export async function handler(request: CustomRequest): Promise<void> {
  await handleDeployment(store, bucket, request)
}
