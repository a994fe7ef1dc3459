// Reads EC2's and Auto Scaling's events as EventBridge delivers them: which instance, and what became of it.
import * as z from 'zod/mini'
import type { LifecycleAction } from './ports.ts'

/** What happened to an instance. */
export type CloudEvent = { readonly instance: string; readonly region: string; readonly account: string } & (
  | { readonly kind: 'requesting' | 'created' | 'destroying' | 'destroyed'; readonly group?: string }
  /** The group waits for us before the instance serves; `warm` where it goes to the warm pool first. */
  | {
      readonly kind: 'launching'
      readonly group: string
      readonly action: LifecycleAction
      readonly warm: boolean
      readonly metadata?: string
    }
  /** The group waits for us before the instance ends; `warm` where it returns to the warm pool and lives on. */
  | { readonly kind: 'ending'; readonly group: string; readonly action: LifecycleAction; readonly warm: boolean }
  /** A launch or an end that did not work. */
  | { readonly kind: 'failed'; readonly group: string; readonly what: string; readonly reason: string }
)

/** An event on the default bus, as EventBridge hands it to a rule's target. */
const EnvelopeSchema = z.object({
  'detail-type': z.string(),
  account: z.string(),
  region: z.string(),
  detail: z.record(z.string(), z.unknown()),
})

const StateSchema = z.object({ 'instance-id': z.string(), state: z.string() })

const HookSchema = z.object({
  LifecycleActionToken: z.string(),
  AutoScalingGroupName: z.string(),
  LifecycleHookName: z.string(),
  EC2InstanceId: z.string(),
  NotificationMetadata: z.optional(z.string()),
  Destination: z.optional(z.string()),
})

const ActivitySchema = z.object({
  AutoScalingGroupName: z.string(),
  EC2InstanceId: z.string(),
  StatusMessage: z.optional(z.string()),
})

/** The states of EC2 that are news; an instance that stops lives on. */
const states: Readonly<Record<string, 'requesting' | 'created' | 'destroying' | 'destroyed'>> = {
  pending: 'requesting',
  running: 'created',
  'shutting-down': 'destroying',
  terminated: 'destroyed',
}

/** The event, or undefined where it is none that fleets live by. Throws a ZodError for one that lost its fields. */
export function readCloudEvent(input: unknown): CloudEvent | undefined {
  const envelope = EnvelopeSchema.parse(input)
  const { account, region, detail } = envelope
  const place = { region, account }
  switch (envelope['detail-type']) {
    case 'EC2 Instance State-change Notification': {
      const { 'instance-id': instance, state } = StateSchema.parse(detail)
      const kind = states[state]
      return kind === undefined ? undefined : { ...place, instance, kind }
    }
    case 'EC2 Instance-launch Lifecycle Action': {
      const hook = HookSchema.parse(detail)
      return {
        ...place,
        ...hookOf(hook, region),
        kind: 'launching',
        ...(hook.NotificationMetadata === undefined ? {} : { metadata: hook.NotificationMetadata }),
      }
    }
    case 'EC2 Instance-terminate Lifecycle Action':
      return { ...place, ...hookOf(HookSchema.parse(detail), region), kind: 'ending' }
    case 'EC2 Instance Launch Successful':
    case 'EC2 Instance Terminate Successful': {
      const { EC2InstanceId: instance, AutoScalingGroupName: group } = ActivitySchema.parse(detail)
      return { ...place, instance, group, kind: envelope['detail-type'].includes('Launch') ? 'created' : 'destroyed' }
    }
    case 'EC2 Instance Launch Unsuccessful':
    case 'EC2 Instance Terminate Unsuccessful': {
      const activity = ActivitySchema.parse(detail)
      return {
        ...place,
        instance: activity.EC2InstanceId,
        group: activity.AutoScalingGroupName,
        kind: 'failed',
        what: envelope['detail-type'].includes('Launch') ? 'launch' : 'terminate',
        reason: activity.StatusMessage ?? '',
      }
    }
    default:
      return undefined
  }
}

function hookOf(
  hook: z.infer<typeof HookSchema>,
  region: string,
): { instance: string; group: string; action: LifecycleAction; warm: boolean } {
  const { EC2InstanceId: instance, AutoScalingGroupName: group } = hook
  return {
    instance,
    group,
    action: { region, group, hook: hook.LifecycleHookName, token: hook.LifecycleActionToken, instance },
    warm: hook.Destination === 'WarmPool',
  }
}
