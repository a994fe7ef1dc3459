// The master on AWS: its ports over DynamoDB, S3, EventBridge and SQS, and what the Lambda functions call.

export {
  type AwsStore,
  openAwsStore,
} from './store/aws-store.ts'
export { storeFiles } from './store/file-store.ts'
