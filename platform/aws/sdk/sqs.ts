// What is used of @aws-sdk/client-sqs, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
