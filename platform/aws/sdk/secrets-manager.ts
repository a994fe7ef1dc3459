// What is used of @aws-sdk/client-secrets-manager, loaded when it is first needed: an import of the whole package could not be bundled in parts.
export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
