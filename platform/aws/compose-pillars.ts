// Pillars of the master on AWS, joined over a desk.
import { externalPillars } from '../../master/external-pillar.ts'
import { createPillar, type Pillars } from '../../master/pillar.ts'
import type { AwsDesk } from './compose.ts'
import { openFunctions } from './compose-functions.ts'
import { externalValues } from './pillar/external-values.ts'

/** The compiler of pillars over a desk. */
export function openPillars(aws: AwsDesk): Pillars {
  const { store, settings, telemetry } = aws
  const { functions } = openFunctions(aws)
  return createPillar({
    source: {
      ...settings.pillar,
      files: store.pillarFiles,
      external: externalPillars(settings.externalPillar, externalValues({})),
      error: telemetry.error,
    },
    options: settings.options,
    opts: settings.template.opts,
    answers: functions.answers,
    clock: store.clock,
  })
}
