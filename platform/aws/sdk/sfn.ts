// What is used of @aws-sdk/client-sfn, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export {
  DescribeExecutionCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
