// The reference server on a runtime that is not Node: it serves, delivers with retries and address rules, and closes.
import assert from 'node:assert/strict'
import { createMockReceiver, createReferenceServer } from '@formwire/reference-server'

const questions = [{ id: 'stars', type: 'rating', title: 'How was it?' }]

/** Submits a response to a form with one endpoint. @returns its delivery once all retries have ended. */
async function deliver(server, url, use = () => {}) {
  const form = server.app.forms.create({ title: 'Feedback', questions })
  server.app.forms.publish(form.id)
  const hook = await server.app.webhooks.create(form.id, { url })
  use(hook)
  server.app.responses.create(form.id, { answers: [{ question_id: 'stars', value: 5 }], deliver: true })
  await server.clock.advance('15h')
  return server.app.deliveries.list(form.id, hook.id)[0]
}

const server = createReferenceServer({ clock: 'manual', limits: 'off' })
const receiver = await createMockReceiver({ script: ['500', '302', '200'] }).listen()
const delivered = await deliver(server, receiver.url, (hook) => {
  receiver.secrets = [hook.secret]
})
assert.deepEqual([delivered.status, delivered.attempts, delivered.http_status], ['delivered', 3, 200])
assert.equal(receiver.deliveries.length, 3)
const { url } = await server.listen({ port: 0 })
const me = await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${server.writeKey}` } })
assert.equal(me.status, 200)

// A public name that leads to this machine after the registration must not be connected to.
let address = '93.184.216.34'
const strict = createReferenceServer({
  clock: 'manual',
  addressRules: 'production',
  dns: async () => [address],
})
const refused = await deliver(strict, 'https://hooks.example.com/', () => {
  address = '127.0.0.1'
})
assert.deepEqual([refused.status, refused.http_status], ['failed', null])

await strict.close()
await server.close()
await receiver.close()
