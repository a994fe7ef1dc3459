// Who a minion is beyond its key: EC2's signed identity documents, and STS's web identity tokens.
export { regionCertificates } from './certificates.ts'
export { type IdentityDocument, parseIdentityDocument } from './document.ts'
export { isVouchedFor } from './signature.ts'
export { createVerifyExpected } from './verify-expected.ts'
export { createVerifyIdentity, type IdentityRules } from './verify-identity.ts'
export { createReadWebIdentity, type WebIdentity, type WebIdentityRules } from './web-identity.ts'
