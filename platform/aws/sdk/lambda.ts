// What is used of @aws-sdk/client-lambda, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
