// EC2 as what makes, finds and changes machines sees it.
import type { EC2Client } from '@aws-sdk/client-ec2'

/** The SDK's module and a client of it. */
export interface Ec2 {
  readonly sdk: typeof import('../sdk/ec2-machines.ts')
  readonly client: EC2Client
}
