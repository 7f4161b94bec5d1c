import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { SenderSettings } from '../../src/delivery/sender.ts'
import { createReferenceServer } from '../../src/index.ts'
import { createMockReceiver } from '../../src/receiver/index.ts'
import { startFormwire } from '../../src/testing/index.ts'

/** The deadline that the sender of attempts is made with: waiting it out would take 10 seconds of real time. */
const deadlines = vi.hoisted(() => [] as number[])
vi.mock('../../src/delivery/attempt.ts', async (original) => {
  const { AttemptSender } = await original<typeof import('../../src/delivery/attempt.ts')>()
  return {
    AttemptSender: class extends AttemptSender {
      constructor(settings: SenderSettings) {
        deadlines.push(settings.timeoutMs)
        super(settings)
      }
    },
  }
})

afterEach(() => {
  deadlines.length = 0
})

it('[DLV-05] gives an attempt 10 seconds by default, and accepts a response in time', async () => {
  await using server = createReferenceServer({ clock: 'manual' })
  await using receiver = await createMockReceiver({ script: ['slow(50)'] }).listen()
  const { id } = server.app.forms.create({ title: 'Feedback' })
  const hook = await server.app.webhooks.create(id, { url: receiver.url })
  server.app.webhooks.test(id, hook.id)
  await server.clock.advance(0)
  expect(server.app.deliveries.list(id, hook.id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  expect(deadlines).toEqual([10_000])
})

it('[DLV-05] counts pauses of the process, since its deadline is in real time', async () => {
  await using server = createReferenceServer({ clock: 'manual', deliveryTimeoutMs: 200 })
  await using receiver = await createMockReceiver({ script: ['slow(50)'] }).listen()
  const { id } = server.app.forms.create({ title: 'Feedback' })
  const hook = await server.app.webhooks.create(id, { url: receiver.url })
  receiver.onDelivery = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  }
  server.app.webhooks.test(id, hook.id)
  await server.clock.advance(0)
  const [delivery] = server.app.deliveries.list(id, hook.id)
  expect(server.app.deliveries.get(delivery?.id ?? '').attempts).toMatchObject([{ error: 'timeout' }])
})

it('[DLV-05] gives an attempt 1 second in the test kit, of which pauses of the process are no part', async () => {
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
  expect(deadlines).toEqual([1000])
})
