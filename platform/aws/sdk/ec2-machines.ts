// What is used of @aws-sdk/client-ec2 to make and change machines, loaded when it is first needed.
export {
  CreateTagsCommand,
  DescribeImagesCommand,
  DescribeRegionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
  ModifyInstanceAttributeCommand,
  paginateDescribeInstances,
  paginateDescribeInstanceTypes,
  RebootInstancesCommand,
  RunInstancesCommand,
  StartInstancesCommand,
  StopInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2'
