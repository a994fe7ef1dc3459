// EC2's instance identity document: what an instance says of itself, as the metadata service signs it.
import * as z from 'zod/mini'
import { check } from '../../core/protocol/index.ts'

/** Only what is judged or passed on; the document holds more. */
const DocumentSchema = z.object({
  accountId: z.string().check(z.regex(/^\d{12}$/)),
  region: z.string().check(z.regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/)),
  instanceId: z.string().check(z.regex(/^i-[0-9a-f]{8,17}$/)),
  pendingTime: z.string(),
  availabilityZone: z.optional(z.string()),
  imageId: z.optional(z.string()),
  instanceType: z.optional(z.string()),
})

/** An identity document, parsed; nothing in it is true before its signature was verified. */
export type IdentityDocument = z.infer<typeof DocumentSchema>

/** Parses the text; a sentence where it is no identity document. */
export function parseIdentityDocument(text: string): IdentityDocument | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'the identity document is not JSON'
  }
  const parsed = check(DocumentSchema, value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `the identity document's ${issue?.path.join('.') ?? 'form'} is not as EC2 writes it: ${issue?.message}`
}
