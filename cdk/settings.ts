// The settings that the functions read: the props, and a master's options by Salt's names.
import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { BrineMasterProps } from './brine-master-props.ts'

/** JSON for the environment of every function. */
export function settingsOf(props: BrineMasterProps, scope: Construct): Record<string, unknown> {
  const { account, region } = Stack.of(scope)
  return {
    ...props.settings,
    ...(props.masterId === undefined ? {} : { id: props.masterId }),
    presence_events: props.presenceEvents ?? false,
    legacy_events: props.legacyEvents ?? true,
    event_keep_seconds: props.eventRetention?.toSeconds() ?? 86_400,
    loop_interval: props.presenceInterval?.toSeconds() ?? 60,
    ...(props.externalAuth === undefined ? {} : { external_auth: props.externalAuth }),
    fleet: {
      accounts: props.identityAccounts ?? [account],
      regions: props.identityRegions ?? [region],
      groups: props.identityGroups ?? ['*'],
      certificates: props.identityCertificates ?? {},
      issuers: props.identityIssuers ?? [],
      start_up_job: props.startUpJob ?? 'test.ping',
    },
  }
}
