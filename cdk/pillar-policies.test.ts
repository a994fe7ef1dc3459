// A master whose pillar comes from parameters and secrets: who may read which, clean by cdk-nag's rules.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, Stack, Validations } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AwsSolutionsChecks } from 'cdk-nag'
import { afterAll, describe, expect, it } from 'vitest'
import { BrineMaster } from './brine-master.ts'
import { standInBundles } from './stand-in-bundles.ts'

const folder = mkdtempSync(join(tmpdir(), 'brine-pillars-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What each function may read of both services. */
function allowed(settings: Readonly<Record<string, unknown>>, name: string): Record<string, string[]> {
  const app = new App({ outdir: join(folder, name) })
  const stack = new Stack(app, 'Brine', { env: { account: '111122223333', region: 'eu-west-1' } })
  new BrineMaster(stack, 'Master', { functionBundles: standInBundles(join(folder, 'f')), settings })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  app.synth()
  const found: Record<string, string[]> = {}
  for (const [policy, { Properties }] of Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy'))) {
    const who = policy.replace(/^MasterFunctionsSet|Role.*$/g, '')
    for (const { Action, Resource } of Properties.PolicyDocument.Statement) {
      const actions = [Action].flat().filter((action: string) => /^(ssm:|secretsmanager:GetSecretValue)/.test(action))
      const arns = [Resource].flat().map((arn) =>
        JSON.stringify(arn)
          .replace(/.*?:(ssm|secretsmanager):/, '$1:')
          .replace(/".*/s, ''),
      )
      const own = arns.filter((arn) => /^(ssm|secretsmanager):/.test(arn))
      if (actions.length > 0 && own.length > 0) found[who] = [...(found[who] ?? []), ...own].sort()
    }
  }
  return found
}

describe('a master with ext_pillar', () => {
  it('lets the functions that compile pillar read what it names, and nothing more', () => {
    const ext_pillar = [
      { ssm: { path: '/pillar/{id}/' } },
      { secretsmanager: { secrets: { db: 'db-{id}', api: 'shop/api' } } },
    ]
    const reads = [
      'secretsmanager:eu-west-1:111122223333:secret:db-*-??????',
      'secretsmanager:eu-west-1:111122223333:secret:shop/api-??????',
      'ssm:eu-west-1:111122223333:parameter/pillar/*',
      'ssm:eu-west-1:111122223333:parameter/pillar/*/*',
    ]
    expect(allowed({ ext_pillar }, 'some')).toEqual({ Gateway: reads, Reactor: reads, Run: reads, Turn: reads })
    const { pluginReports } = JSON.parse(readFileSync(join(folder, 'some', 'validation-report.json'), 'utf8'))
    expect(pluginReports.flatMap(({ violations }: { violations: { ruleName: string }[] }) => violations)).toEqual([])
    expect(allowed({}, 'none')).toEqual({})
  }, 180_000)

  it('is refused at synth where nobody could read it', () => {
    expect(() => allowed({ ext_pillar: [{ vault: {} }] }, 'wrong')).toThrow(/ext_pillar does not understand/)
  }, 180_000)
})
