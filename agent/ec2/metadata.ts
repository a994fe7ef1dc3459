// The metadata service of an EC2 instance, asked by its second version: a session first, then what is wanted.
import { readFile } from 'node:fs/promises'
import { BrineError, messageOf } from '../../core/error.ts'

/** Where it answers on every instance; AWS_EC2_METADATA_SERVICE_ENDPOINT names another, as AWS's own tools read it. */
const usualEndpoint = 'http://169.254.169.254'
/** Milliseconds for one answer: it is on the same host. */
const patience = 2000
/** Seconds that a session lives. */
const sessionLife = 60

/** Asks the metadata service. */
export interface Metadata {
  /** Exactly the text below `/latest/`; rejects with a BrineError `ec2-metadata` where there is none. */
  read(path: string): Promise<string>
}

/** Opens a session with the service. Rejects with a BrineError `ec2-metadata` where nothing answers. */
export async function openMetadata(environment: NodeJS.ProcessEnv): Promise<Metadata> {
  const endpoint = environment.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? usualEndpoint
  const ask = async (path: string, init: RequestInit): Promise<string> => {
    try {
      const answer = await fetch(new URL(`/latest/${path}`, endpoint), {
        ...init,
        signal: AbortSignal.timeout(patience),
      })
      if (answer.ok) return await answer.text()
      throw new BrineError(`it answers ${answer.status}`, { code: 'ec2-metadata' })
    } catch (cause) {
      throw new BrineError(`The metadata service at ${endpoint} does not tell ${path}: ${messageOf(cause)}.`, {
        code: 'ec2-metadata',
        cause,
      })
    }
  }
  const token = await ask('api/token', {
    method: 'PUT',
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': String(sessionLife) },
  })
  return { read: (path) => ask(path, { headers: { 'x-aws-ec2-metadata-token': token } }) }
}

/** Whether this machine is an EC2 instance, by what its firmware says; nothing is asked over the network. */
export async function isOnEc2(environment: NodeJS.ProcessEnv): Promise<boolean> {
  if (environment.AWS_EC2_METADATA_DISABLED === 'true') return false
  if ((environment.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? '') !== '') return true
  const [maker, hypervisor] = await Promise.all([
    firmware('/sys/class/dmi/id/sys_vendor'),
    firmware('/sys/hypervisor/uuid'),
  ])
  return maker.includes('Amazon EC2') || hypervisor.startsWith('ec2')
}

async function firmware(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    // Not every machine has it, and not every user may read it.
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
