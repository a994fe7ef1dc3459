// EC2's instance identity document: what an instance says of itself, as the metadata service signs it.
import { z } from 'zod'

/** Only what is judged or passed on; the document holds more. */
const DocumentSchema = z.object({
  accountId: z.string().regex(/^\d{12}$/),
  region: z.string().regex(/^[a-z]{2,4}(-[a-z]+)+-\d$/),
  instanceId: z.string().regex(/^i-[0-9a-f]{8,17}$/),
  pendingTime: z.string(),
  availabilityZone: z.string().optional(),
  imageId: z.string().optional(),
  instanceType: z.string().optional(),
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
  const parsed = DocumentSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return `the identity document's ${issue?.path.join('.') ?? 'form'} is not as EC2 writes it: ${issue?.message}`
}
