import { writeFileSync } from 'node:fs'

const { FORMWIRE_BASE_URL, FORMWIRE_ADMIN_TOKEN, FORMWIRE_FORM_ID: form } = process.env

async function app(method, path) {
  const headers = { Authorization: `Bearer ${FORMWIRE_ADMIN_TOKEN}` }
  const response = await fetch(`${FORMWIRE_BASE_URL}/_app${path}`, { method, headers })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()).data
}

const [endpoint] = await app('GET', `/forms/${form}/webhooks`)
const route = `/forms/${form}/webhooks/${endpoint.id}`

const { secret } = await app('POST', `${route}/rotate-secret`)
writeFileSync('config.json', JSON.stringify({ verify: true, secret }))
await app('POST', `${route}/resume`)
// The log does not have what was submitted while the endpoint was paused.
for (const { id } of await app('GET', `${route}/deliveries`)) await app('POST', `/deliveries/${id}/replay`)
