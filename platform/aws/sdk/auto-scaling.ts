// What is used of @aws-sdk/client-auto-scaling, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export {
  AutoScalingClient,
  CompleteLifecycleActionCommand,
  DescribeAutoScalingInstancesCommand,
  RecordLifecycleActionHeartbeatCommand,
} from '@aws-sdk/client-auto-scaling'
