import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Formwire } from '@formwire/sdk'

// What was found: the receiver has a secret from before a rotation, so it refuses everything with 401. Then somebody paused the endpoint, which failed
// the pending deliveries; what was submitted since has no delivery at all.
const { FORMWIRE_BASE_URL, FORMWIRE_ADMIN_TOKEN, FORMWIRE_FORM_ID: form, DATA } = process.env

async function app(method, path) {
  const headers = { Authorization: `Bearer ${FORMWIRE_ADMIN_TOKEN}` }
  const response = await fetch(`${FORMWIRE_BASE_URL}/_app${path}`, { method, headers })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()).data
}

const [endpoint] = await app('GET', `/forms/${form}/webhooks`)
const route = `/forms/${form}/webhooks/${endpoint.id}`

// A secret is shown once, so the current one cannot be looked up.
const { secret } = await app('POST', `${route}/rotate-secret`)
writeFileSync('config.json', JSON.stringify({ verify: true, secret }, null, 2))
await app('POST', `${route}/resume`)

const log = await app('GET', `${route}/deliveries`)
for (const { id, status } of log) if (status === 'failed') await app('POST', `/deliveries/${id}/replay`)

// The log has at most 50 deliveries, and none for what was submitted during the pause: the list of responses has all.
const logged = new Set(log.map((delivery) => delivery.response_id))
for await (const response of new Formwire().responses.list(form)) {
  const file = join(DATA, `${response.id}.json`)
  if (!logged.has(response.id) && !existsSync(file)) writeFileSync(file, JSON.stringify(response))
}
