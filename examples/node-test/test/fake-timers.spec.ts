import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'

test('delivers and retries while every timer of the test is fake', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })
  t.after(() => mock.timers.reset())
  const kit = await startFormwire()
  t.after(() => kit.close())
  const { server, receiver, connectReceiver, waitForDelivery } = kit
  const draft = server.app.forms.create({ title: 'Feedback', questions: [makeQuestion('nps')] })
  const form = server.app.forms.publish(draft.id)
  await connectReceiver(form.id)
  receiver.respond('500', 'slow(20)')

  server.app.responses.create(form.id, { deliver: true })
  await waitForDelivery({ status: 'pending', http_status: 500 })
  await server.clock.advance('1m')
  await waitForDelivery({ status: 'delivered', attempts: 2 })
  assert.equal(receiver.deliveries.length, 2)
})
