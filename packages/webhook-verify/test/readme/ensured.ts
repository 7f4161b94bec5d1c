import { createServer } from 'node:http'
import { createReceiver } from '@formwire/webhook-verify/node'
import { createFileSecrets } from '@formwire/webhook-verify/secrets'
import { saveResponse } from './responses.ts'

// In PostgreSQL: createPostgresSecrets({ connectionString })
const { secret } = createFileSecrets(process.env.FORMWIRE_SECRETS_FILE ?? 'secrets.json')

export const server = createServer(
  createReceiver({ secret, on: { 'response.submitted': (event) => saveResponse(event.response) } }),
)
