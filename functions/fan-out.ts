// The function `fan-out` of a master: refuses everything until its handler is there.

/** Refuses: API Gateway denies a socket, SQS keeps the message. */
export async function handler(): Promise<never> {
  throw new Error('the function fan-out has no handler in this version')
}
