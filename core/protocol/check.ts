// Checks what came over the wire, and says what is wrong with it in English: zod/mini has no words of its own.

import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

const { localeError: english } = en()

/** The value as the schema has it, or what is wrong with it, in sentences for whoever sent it. */
export function check<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
): z.core.util.SafeParseResult<z.output<Schema>> {
  return z.safeParse(schema, value, { error: english })
}
