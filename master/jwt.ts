// What is used of `jose`, in a module that is read when the first token has to be verified: an import of the whole package
// could not be bundled in parts.
export { createRemoteJWKSet, errors, importSPKI, jwtVerify } from 'jose'
