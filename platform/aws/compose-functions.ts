// Runners, wheel, templates and pillars of the master on AWS, joined over a desk.
import { messageOf } from '../../core/error.ts'
import { createAnswers } from '../../master/answers.ts'
import { externalPillars } from '../../master/external-pillar.ts'
import { createFunctions, type Functions } from '../../master/functions.ts'
import { createPillar, type Pillars } from '../../master/pillar.ts'
import { createRenderFile } from '../../master/render-file.ts'
import type { RenderFile } from '../../reaction/index.ts'
import type { AwsDesk } from './compose.ts'
import { externalValues } from './pillar/external-values.ts'

/** The master's functions over a desk, and the renderer they share with the reactor. */
export function openFunctions({ store, settings, desk, telemetry }: AwsDesk): {
  readonly functions: Functions
  readonly render: RenderFile
} {
  const { timeout, gatherJobTimeout, template } = settings
  const render = createRenderFile(template)
  const answers = createAnswers({
    runners: () => functions.tables.runner(),
    files: store.files,
    newJid: () => store.clock.jid(),
    mines: () => desk.mines,
  })
  const functions: Functions = createFunctions(store, desk, answers, {
    timeout,
    gatherJobTimeout,
    template,
    render,
    report: (error, jid) => telemetry.error(`the orchestration ${jid} could not go on: ${messageOf(error)}`),
  })
  return { functions, render }
}

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
