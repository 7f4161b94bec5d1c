import { Formwire, type FormwireError, type FormwireOptions, NotFoundError } from '@formwire/sdk'
import { postgresBudget } from '@formwire/sdk/budget/postgres'
import { redisBudget } from '@formwire/sdk/budget/redis'
import { fileCheckpoint } from '@formwire/sdk/checkpoint/file'
import { redisCheckpoint } from '@formwire/sdk/checkpoint/redis'
import { createSync } from '@formwire/sync'
import { postgresStore } from '@formwire/sync/postgres'
import { sqliteStore } from '@formwire/sync/sqlite'
import { verifyWebhook } from '@formwire/webhook-verify'
import { createReceiver } from '@formwire/webhook-verify/fetch'

const options: FormwireOptions = { apiKey: 'svc_k' }
const formwire = new Formwire(options)
export async function titles(): Promise<string[]> {
  const all: string[] = []
  for await (const form of formwire.forms.list({ status: 'published' })) all.push(form.title)
  return all
}
export const isNotFound = (error: FormwireError): boolean => error instanceof NotFoundError
export const poll = formwire.responses.poll('form', { checkpoint: fileCheckpoint('./checkpoints') })
export const store = redisCheckpoint
export const budget = redisBudget
export const budgetInPostgres = postgresBudget
export const event = verifyWebhook({ secret: 'whsec_s', headers: {}, body: '' })
export const receive = createReceiver({
  secret: 'whsec_s',
  on: { 'response.submitted': ({ response }) => console.log(response.id) },
})
export const sync = createSync({ formwire, store: sqliteStore('responses.db'), forms: 'all' })
export const toPostgres = createSync({
  formwire,
  store: postgresStore(),
  forms: ['form'],
  onResponse: (response, transaction) => transaction.query('SELECT $1', [response.id]),
})
