// BrineFleet: an Auto Scaling group whose instances are minions from their first minute on.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Duration, Stack } from 'aws-cdk-lib'
import { AutoScalingGroup, CfnAutoScalingGroup, type UpdatePolicy } from 'aws-cdk-lib/aws-autoscaling'
import {
  AmazonLinuxCpuType,
  BlockDeviceVolume,
  type IMachineImage,
  type InstanceType,
  type ISecurityGroup,
  type IVpc,
  LaunchTemplate,
  LaunchTemplateHttpTokens,
  MachineImage,
  SecurityGroup,
  type SubnetSelection,
  type UserData,
} from 'aws-cdk-lib/aws-ec2'
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Asset } from 'aws-cdk-lib/aws-s3-assets'
import { Construct } from 'constructs'
import type { BrineMaster } from './brine-master.ts'
import { fleetUserData } from './fleet-user-data.ts'

/** What a fleet is made of. */
export interface BrineFleetProps {
  /** The master its minions join. */
  readonly master: BrineMaster
  readonly vpc: IVpc
  readonly instanceType: InstanceType
  /**
   * Where its instances stand.
   * @default - the VPC's private subnets with a way out
   */
  readonly vpcSubnets?: SubnetSelection
  /**
   * The image. It has to have bash and either Node 20 or newer or a package manager that brings it.
   * @default - the newest Amazon Linux 2023 for the instance type's processor
   */
  readonly machineImage?: IMachineImage
  /** @default - one that lets everything out and nothing in */
  readonly securityGroup?: ISecurityGroup
  /**
   * The Auto Scaling group's name, by which `data.identity.asg` of `salt/auth` names it.
   * @default - CloudFormation chooses one
   */
  readonly groupName?: string
  /** @default 1 */
  readonly minCapacity?: number
  /** @default - as minCapacity */
  readonly maxCapacity?: number
  /**
   * What stands before the instance id in a minion's id.
   * @default - no prefix: the minion's id is the instance's
   */
  readonly idPrefix?: string
  /**
   * Grains of every instance.
   * @default - none
   */
  readonly grains?: Readonly<Record<string, string>>
  /**
   * How long an instance may take from its launch to the end of its start-up job.
   * @default Duration.minutes(15)
   */
  readonly launchTimeout?: Duration
  /**
   * The agent as one file.
   * @default - dist/brine-minion.mjs, which `npm run build` makes
   */
  readonly agentFile?: string
  /**
   * Whether the agent sends a web identity token of STS besides. The account has to have outbound identity federation
   * enabled, and the master the account's issuer among its `identityIssuers`.
   * @default false
   */
  readonly webIdentity?: boolean
  /** @default - instances are replaced one by one when the launch template changes */
  readonly updatePolicy?: UpdatePolicy
}

/**
 * An Auto Scaling group with a launch template (IMDSv2 required), an instance profile, and hooks: the launch completes
 * after the start-up job of the master's `startUpJob`, the end after the key was deleted. The master believes its
 * instances by their identity documents; a reactor on `salt/auth` accepts them by `data.identity.asg`.
 */
export class BrineFleet extends Construct {
  readonly autoScalingGroup: AutoScalingGroup
  readonly role: Role

  constructor(scope: Construct, id: string, props: BrineFleetProps) {
    super(scope, id)
    const { master } = props
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('ec2.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('AmazonSSMManagedInstanceCore')],
    })
    const agent = new Asset(this, 'Agent', { path: props.agentFile ?? join(packageRoot, 'dist/brine-minion.mjs') })
    agent.grantRead(this.role)
    master.fingerParameter.grantRead(this.role)
    if (props.webIdentity === true)
      this.role.addToPolicy(new PolicyStatement({ actions: ['sts:GetWebIdentityToken'], resources: ['*'] }))
    const securityGroup = props.securityGroup ?? new SecurityGroup(this, 'SecurityGroup', { vpc: props.vpc })
    const template = new LaunchTemplate(this, 'LaunchTemplate', {
      instanceType: props.instanceType,
      machineImage: props.machineImage ?? MachineImage.latestAmazonLinux2023({ cpuType: cpuOf(props.instanceType) }),
      role: this.role,
      securityGroup,
      httpTokens: LaunchTemplateHttpTokens.REQUIRED,
      httpPutResponseHopLimit: 1,
      detailedMonitoring: true,
      requireImdsv2: true,
      blockDevices: [{ deviceName: '/dev/xvda', volume: BlockDeviceVolume.ebs(8, { encrypted: true }) }],
      userData: this.userData(props, agent),
    })
    this.autoScalingGroup = new AutoScalingGroup(this, 'Group', {
      vpc: props.vpc,
      launchTemplate: template,
      ...(props.groupName === undefined ? {} : { autoScalingGroupName: props.groupName }),
      minCapacity: props.minCapacity ?? 1,
      maxCapacity: props.maxCapacity ?? props.minCapacity ?? 1,
      ...(props.vpcSubnets === undefined ? {} : { vpcSubnets: props.vpcSubnets }),
      ...(props.updatePolicy === undefined ? {} : { updatePolicy: props.updatePolicy }),
    })
    this.#addHooks(props.launchTimeout ?? Duration.minutes(15))
    master.addFleet(this.autoScalingGroup)
  }

  /**
   * In the group's own properties: hooks that are resources of their own come after the group, whose first instances
   * would not wait for them.
   */
  #addHooks(launchTimeout: Duration): void {
    const group = this.autoScalingGroup.node.defaultChild
    if (!(group instanceof CfnAutoScalingGroup)) return
    // Where the master itself is away, instances serve rather than being launched and ended for ever.
    const defaultResult = 'CONTINUE'
    group.lifecycleHookSpecificationList = [
      {
        lifecycleHookName: 'brine-launch',
        lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
        defaultResult,
        heartbeatTimeout: launchTimeout.toSeconds(),
      },
      {
        lifecycleHookName: 'brine-terminate',
        lifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        defaultResult,
        heartbeatTimeout: Duration.minutes(5).toSeconds(),
      },
    ]
  }

  private userData(
    { master, idPrefix = '', grains = {}, webIdentity = false }: BrineFleetProps,
    agent: Asset,
  ): UserData {
    const { region } = Stack.of(this)
    return fleetUserData(
      {
        masterUrl: master.url,
        ...(master.masterId === undefined ? {} : { masterId: master.masterId }),
        fingerParameter: master.fingerParameter.parameterName,
        region,
        idPrefix,
        webIdentity,
        startUpGrains: grains,
        unit: readFileSync(join(packageRoot, 'packaging/brine-minion.service'), 'utf8'),
      },
      { bucket: agent.bucket, bucketKey: agent.s3ObjectKey },
    )
  }

  /** Lets the instances do more, such as reading an application's bucket. */
  addToRolePolicy(statement: PolicyStatement): void {
    this.role.addToPrincipalPolicy(statement)
  }
}

const packageRoot = join(import.meta.dirname, '..')

function cpuOf(type: InstanceType): AmazonLinuxCpuType {
  return type.architecture === 'arm64' ? AmazonLinuxCpuType.ARM_64 : AmazonLinuxCpuType.X86_64
}
