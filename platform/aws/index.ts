// The master on AWS: its ports over DynamoDB, S3, EventBridge and SQS, and what the Lambda functions call.

export { lambdaCalls } from './lambda-calls.ts'
export {
  type AwsPlaces,
  type AwsRetention,
  type AwsStore,
  type AwsStoreOptions,
  openAwsStore,
} from './store/aws-store.ts'
export type { ReactorLibrary } from './store/config-store.ts'
export { type FileTrees, storeFiles } from './store/file-store.ts'
