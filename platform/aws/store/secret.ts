// Reads one secret of Secrets Manager. The client is loaded when it is first used.
import { BrineError } from '../../../core/error.ts'
import { asking } from '../aws-error.ts'
import type { ClientOptions } from '../clients.ts'

/** A reader of the secret's text. Throws `signing-key` where it has none. */
export function secretReader(secretId: string, options: ClientOptions): () => Promise<string> {
  return async () => {
    const [{ GetSecretValueCommand, SecretsManagerClient }, { clientConfig }] = await Promise.all([
      import('../sdk/secrets-manager.ts'),
      import('../clients.ts'),
    ])
    const client = new SecretsManagerClient(clientConfig(options))
    const answer = await asking(`a read of the secret ${secretId}`, () =>
      client.send(new GetSecretValueCommand({ SecretId: secretId })),
    )
    client.destroy()
    if (answer.SecretString !== undefined) return answer.SecretString
    throw new BrineError(`The secret ${secretId} holds no text. Let Secrets Manager generate one.`, {
      code: 'signing-key',
    })
  }
}
