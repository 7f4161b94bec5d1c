import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSeedFactory, makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { type Config, type Contact, crmReceiver } from '../src/forward-to-crm.ts'

const FORM = 'contactform1'
const make = await createSeedFactory(42)
const seed = make.seed(make.form({ id: FORM, questions: [makeQuestion('email')] }))

/** Starts a service whose form delivers to the receiver under test. Both are closed after the test. */
async function start(t: TestContext, save: (contact: Contact) => Promise<void>) {
  const kit = await startFormwire({ seed })
  const config: Config = { secret: '', now: () => kit.server.clock.now() }
  const receiver = crmReceiver(config, save).listen(0, '127.0.0.1')
  t.after(async () => {
    receiver.close()
    receiver.closeAllConnections()
    await kit.close()
  })
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const endpoint = await kit.server.app.webhooks.create(FORM, { url: `http://127.0.0.1:${port}/` })
  config.secret = endpoint.secret
  const submit = () =>
    kit.server.app.responses.create(FORM, {
      answers: [{ question_id: 'email', value: 'ada@example.com' }],
      deliver: true,
    })
  return { ...kit, endpoint, config, submit }
}

test('forwards the email of a new response', async (t) => {
  const saved: Contact[] = []
  const { submit, waitForDelivery } = await start(t, async (contact) => void saved.push(contact))
  const { id } = submit()
  await waitForDelivery({ response_id: id, status: 'delivered', http_status: 204 })
  assert.deepEqual(saved, [{ responseId: id, email: 'ada@example.com' }])
})

test('gets the delivery again one minute after the CRM failed', async (t) => {
  const saved: Contact[] = []
  const down = ['CRM down', 'CRM still down']
  const { server, submit, waitForDelivery } = await start(t, async (contact) => {
    const reason = down.shift()
    if (reason) throw new Error(reason)
    saved.push(contact)
  })
  const { id } = submit()
  await waitForDelivery({ response_id: id, status: 'pending', http_status: 500 })
  // Instead of sleeping for six minutes, advance the clock: every attempt that is due by then is made.
  await server.clock.advance('6m')
  await waitForDelivery({ response_id: id, status: 'delivered', attempts: 3 })
  assert.equal(saved.length, 1)
})

test('rejects a delivery that is signed with another secret', async (t) => {
  const saved: Contact[] = []
  const { config, submit, waitForDelivery } = await start(t, async (contact) => void saved.push(contact))
  config.secret = 'whsec_of_somebody_else'
  submit()
  await waitForDelivery({ http_status: 401 })
  assert.deepEqual(saved, [])
})
