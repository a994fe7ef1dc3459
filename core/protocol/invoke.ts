// What a command with AWS credentials says to the gateway's function when it invokes it directly: IAM let it, so it needs no
// token. API Gateway and the queues write other fields at the top, which callers cannot choose.
import * as z from 'zod/mini'

/** A request to the master as the local principal. */
export interface InvokeRequest {
  /** The version of this form. */
  readonly brine: 1
  readonly method: 'GET' | 'POST'
  /** With its query: `/v1/events?since=now`. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** The name that stands in events for who asks. @default the master's `user` */
  readonly user?: string
}

export const InvokeAnswerSchema = z.object({
  status: z.number(),
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z.string(),
})
/** What the route answered. */
export type InvokeAnswer = z.infer<typeof InvokeAnswerSchema>
