// What is kept: DynamoDB tables as the layout has them, and a bucket for what is too large for a record.
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { payloadPrefix, type TableName, type TableShape, tables } from '../platform/aws/layout/index.ts'
import { accept } from './accepted-findings.ts'

/** The tables and the bucket of one master. */
export class Storage extends Construct {
  readonly tables: ReadonlyMap<TableName, Table>
  readonly bucket: Bucket

  /** `kept` is the longest that a record is kept: its payload stays a day longer. */
  constructor(scope: Construct, id: string, removalPolicy: RemovalPolicy, kept: Duration) {
    super(scope, id)
    this.tables = new Map(tables.map((shape) => [shape.name, this.#table(shape, removalPolicy)]))
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: false,
      removalPolicy,
      lifecycleRules: [
        { prefix: payloadPrefix, expiration: Duration.days(Math.ceil(kept.toDays({ integral: false })) + 1) },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    })
    accept(this.bucket, 'S1', 'Only the functions of this stack reach it; who asked them what is in their audit.')
    if (removalPolicy !== RemovalPolicy.RETAIN)
      accept(this, 'DDB3', 'Tables that go with their stack are not recovered; RETAIN turns it on.')
  }

  /** A table of the layout. */
  table(name: TableName): Table {
    const found = this.tables.get(name)
    if (found === undefined) throw new Error(`the layout has no table ${name}`)
    return found
  }

  #table(shape: TableShape, removalPolicy: RemovalPolicy): Table {
    const key = (name: string) => ({ name, type: AttributeType.STRING })
    return new Table(this, shape.name, {
      partitionKey: key(shape.partition),
      sortKey: key(shape.sort),
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: removalPolicy === RemovalPolicy.RETAIN },
      removalPolicy,
      timeToLiveAttribute: shape.expires,
    })
  }
}
