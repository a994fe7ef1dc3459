// Who a minion is beyond its key: EC2's signed identity documents, and STS's web identity tokens.
export { regionCertificates } from './certificates.ts'
export { createVerifyExpected } from './verify-expected.ts'
export { createVerifyIdentity } from './verify-identity.ts'
