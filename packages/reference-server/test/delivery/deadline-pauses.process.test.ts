import { expect, it, onTestFinished } from 'vitest'
import { startFormwire } from '../../src/testing/index.ts'
import { createWorld } from './world.ts'

it('[DLV-05] counts pauses of the process, since its deadline is in real time', async () => {
  const { server, formId, receive, submit } = await createWorld({ deliveryTimeoutMs: 200 })
  const { receiver, id } = await receive({ script: ['slow(50)'] })
  receiver.onDelivery = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  }
  submit()
  await server.clock.advance(0)
  const [delivery] = server.app.deliveries.list(formId, id)
  expect(server.app.deliveries.get(delivery?.id ?? '').attempts).toMatchObject([{ error: 'timeout' }])
})

it('[DLV-05] counts no pauses of the process in the test kit', async () => {
  const kit = await startFormwire()
  onTestFinished(() => kit.close())
  const { server, receiver } = kit
  const form = server.app.forms.create({ title: 'Feedback' })
  server.app.forms.publish(form.id)
  const hook = await kit.connectReceiver(form.id)
  receiver.respond('500', 'timeout', '200')
  // The receiver's response is not on its way yet when the second is over.
  receiver.onDelivery = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100)
  }
  server.app.responses.create(form.id, { deliver: true })
  await server.clock.advance('12h')
  const [delivery] = server.app.deliveries.list(form.id, hook.id)
  expect(server.app.deliveries.get(delivery?.id ?? '')).toMatchObject({
    status: 'delivered',
    attempts: [
      { http_status: 500, error: 'http_500' },
      { http_status: null, error: 'timeout' },
      { http_status: 200, error: null },
    ],
  })
})
