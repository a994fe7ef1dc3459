// What is used of @aws-sdk/client-ssm, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { GetParametersByPathCommand, SSMClient } from '@aws-sdk/client-ssm'
