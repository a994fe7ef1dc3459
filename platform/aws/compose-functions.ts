// Runners and wheel of the master on AWS, joined over a desk. What renders templates is loaded when the first is rendered.
import { messageOf } from '../../core/error.ts'
import { createAnswers } from '../../master/answers.ts'
import type { CloudOutside } from '../../master/cloud/index.ts'
import { createFunctions, type FunctionExtras, type Functions } from '../../master/functions.ts'
import type { FunctionTable } from '../../master/run.ts'
import type { RenderFile } from '../../reaction/index.ts'
import type { AwsDesk } from './compose.ts'
import { lambdaCalls } from './lambda-calls.ts'

/**
 * The master's functions over a desk, and the renderer they share with the reactor. Without a driver of their own they
 * must not run orchestrations: no function lives as long as those.
 */
export function openFunctions(
  aws: AwsDesk,
  orchestrationDriver?: FunctionExtras['orchestrationDriver'],
  users: FunctionTable = new Map(),
): {
  readonly functions: Functions
  readonly render: () => Promise<RenderFile>
} {
  const { store, settings, desk, telemetry } = aws
  const { timeout, gatherJobTimeout, template } = settings
  let loading: Promise<RenderFile> | undefined
  const render = (): Promise<RenderFile> => {
    loading ??= import('../../master/render-file.ts').then(({ createRenderFile }) => createRenderFile(template))
    return loading
  }
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
    ...(orchestrationDriver === undefined ? {} : { orchestrationDriver }),
    pillarFiles: store.pillarFiles,
    invokeLambda: lambdaCalls(),
    userRunners: () => users,
    // The runtime of Lambda listens there.
    askLoopback: false,
    ...(settings.hasClouds ? { cloud: cloudsLater(aws) } : {}),
    report: (error, jid) => telemetry.error(`the orchestration ${jid} could not go on: ${messageOf(error)}`),
  })
  return { functions, render }
}

/** Clouds, loaded and joined when the first run asks for them. */
function cloudsLater(aws: AwsDesk): () => Promise<CloudOutside> {
  let loading: Promise<CloudOutside> | undefined
  return () => {
    loading ??= import('./compose-clouds.ts').then(({ openClouds }) => openClouds(aws))
    return loading
  }
}
