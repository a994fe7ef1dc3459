// The rules for reactor entries that are added at run time: a few spare ones, whose patterns are replaced.
import { type EventBridgeClient, PutRuleCommand } from '@aws-sdk/client-eventbridge'
import { asking } from '../aws-error.ts'
import { liveRuleName, liveRules, packRules } from '../layout/index.ts'

/** Lets events through to the reactor. Rules may let through more than is wanted, never less. */
export interface ReactorRules {
  /** Has the rules take what these globs want, beside what was deployed. */
  take(globs: readonly string[]): Promise<void>
}

/** Matches nothing: a rule needs a pattern. */
const idlePattern = { source: ['brine.none'] }

/** The patterns of the spare rules for these globs; idle where there are fewer. */
function livePatterns(globs: readonly string[]): object[] {
  const { patterns } = packRules(globs, { wildcardRules: liveRules - 1, plainRules: 1 })
  return Array.from({ length: liveRules }, (_, index) => patterns[index] ?? idlePattern)
}

/** The spare rules of a deployed bus. Their targets and permissions are the deployment's. */
export function liveReactorRules(client: EventBridgeClient, bus: string, prefix: string): ReactorRules {
  return {
    async take(globs) {
      for (const [index, pattern] of livePatterns(globs).entries()) {
        const command = new PutRuleCommand({
          Name: liveRuleName(prefix, index),
          EventBusName: bus,
          Description: 'Brine: reactor entries added at run time',
          EventPattern: JSON.stringify(pattern),
          State: 'ENABLED',
        })
        await asking('a rule of the bus', () => client.send(command))
      }
    },
  }
}
