// What a command with AWS credentials says to the gateway's function when it invokes it directly: IAM let it, so it needs no
// token. API Gateway and the queues write other fields at the top, which callers cannot choose.
import { z } from 'zod'

export const InvokeRequestSchema = z.object({
  brine: z.object({
    method: z.enum(['GET', 'POST']),
    /** With its query: `/v1/events?since=now`. */
    path: z.string().startsWith('/').max(8192),
    /** The headers that matter: `brine-protocol`. */
    headers: z.record(z.string(), z.string()).default({}),
    /** JSON text. */
    body: z.string().optional(),
  }),
})
/** A request to the master as the local principal. */
export type InvokeRequest = z.input<typeof InvokeRequestSchema>

export const InvokeAnswerSchema = z.object({ status: z.number(), body: z.string() })
/** What the route answered. */
export type InvokeAnswer = z.infer<typeof InvokeAnswerSchema>
