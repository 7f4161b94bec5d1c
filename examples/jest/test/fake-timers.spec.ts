import { type FormwireKit, makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { afterEach, expect, jest, test } from '@jest/globals'

// Jest's fake timers replace all timers, setImmediate, process.nextTick, queueMicrotask, Date and performance.
// The kit keeps the real timers; only the test advances its clock.
let kit: FormwireKit | undefined
afterEach(async () => {
  await kit?.close()
  jest.useRealTimers()
})

test('[DLV-06] delivers and retries while every timer of the test is fake', async () => {
  jest.useFakeTimers()
  kit = await startFormwire()
  const { server, receiver, clientOptions, connectReceiver, waitForDelivery } = kit
  const draft = server.app.forms.create({ title: 'Feedback', questions: [makeQuestion('nps')] })
  const form = server.app.forms.publish(draft.id)
  await connectReceiver(form.id)
  receiver.respond('500', 'slow(20)')

  server.app.responses.create(form.id, { deliver: true })
  await waitForDelivery({ status: 'pending', http_status: 500 })
  await server.clock.advance('1m')
  await waitForDelivery({ status: 'delivered', attempts: 2 })

  expect((await new Formwire(clientOptions).forms.get(form.id)).title).toBe('Feedback')
})
