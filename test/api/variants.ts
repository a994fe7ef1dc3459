// What is asked of salt-api and of ours alike, beside the recorded exchanges: the odd, the wrong and the rare of each page.
import { callVariants } from './call-variants.ts'
import { furtherVariants } from './further-variants.ts'
import { pageVariants } from './page-variants.ts'

/** A request; `{token}` in it stands for the token of a session of saltdev. */
export interface Variant {
  readonly name: string
  readonly request: string
}

/** All of them, in the order in which they are made. */
export const variants: readonly Variant[] = Object.entries({
  ...callVariants,
  ...pageVariants,
  ...furtherVariants,
}).flatMap(([subject, requests]) =>
  Object.entries(requests).map(([what, text]) => ({ name: `${subject}: ${what}`, request: text })),
)
