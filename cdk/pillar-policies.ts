// What `ext_pillar` reads: the functions that compile pillar may read those parameters and secrets, and no others.
import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type ExternalPillarEntry, readExternalPillars } from '../core/config/external-pillar.ts'
import type { Value } from '../core/value/index.ts'
import { accept, manyResources } from './accepted-findings.ts'
import type { MasterFunctions } from './master-functions.ts'

/**
 * Lets them read what the setting names, with any minion's id in it. Throws a BrineError `config` where the setting is not
 * understood. Keys of KMS other than AWS's own are the user's to grant.
 */
export function allowPillars(functions: MasterFunctions, setting: unknown): void {
  const { partition, region, account } = Stack.of(functions)
  const resources = readExternalPillars((setting ?? null) as Value).flatMap(namesOf)
  for (const { action, resource } of resources) {
    const arn = resource.startsWith('arn:')
      ? resource
      : `arn:${partition}:${serviceOf(action)}:${region}:${account}:${resource}`
    for (const one of [functions.gateway, functions.reactor, functions.run, functions.turn])
      one.addToRolePolicy(new PolicyStatement({ actions: [action], resources: [arn] }))
    accept(
      functions,
      manyResources(functions, arn),
      'ext_pillar names them so: below a path, with the id of a minion, or with the ending that Secrets Manager gives.',
    )
  }
}

interface Read {
  readonly action: string
  /** Without the beginning that names service, region and account; or an ARN. */
  readonly resource: string
}

function namesOf(entry: ExternalPillarEntry): Read[] {
  if (entry.kind === 'ssm') {
    const path = `parameter${anyone(entry.path)}`
    return [path, `${path}/*`].map((resource) => ({ action: 'ssm:GetParametersByPath', resource }))
  }
  return Object.values(entry.secrets).map((name) => {
    const resource = anyone(name)
    // A secret's ARN ends with six characters of AWS's own.
    return {
      action: 'secretsmanager:GetSecretValue',
      resource: resource.startsWith('arn:') ? resource : `secret:${resource}-??????`,
    }
  })
}

function anyone(name: string): string {
  return name.replaceAll('{id}', '*')
}

function serviceOf(action: string): string {
  return action.split(':')[0] ?? ''
}
