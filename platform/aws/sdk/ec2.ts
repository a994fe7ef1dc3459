// What is used of @aws-sdk/client-ec2, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2'
