import { afterEach, expect, it, vi } from 'vitest'
import type { SenderSettings } from '../../src/delivery/sender.ts'
import { createReferenceServer, type ReferenceServer } from '../../src/index.ts'
import { createMockReceiver, type MockReceiver } from '../../src/receiver/index.ts'

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

let server: ReferenceServer
let receiver: MockReceiver
afterEach(() => Promise.all([server.close(), receiver.close()]))

it('[DLV-05] gives an attempt 10 seconds by default, and accepts a response in time', async () => {
  server = createReferenceServer({ clock: 'manual' })
  receiver = await createMockReceiver({ script: ['slow(50)'] }).listen()
  const { id } = server.app.forms.create({ title: 'Feedback' })
  const hook = await server.app.webhooks.create(id, { url: receiver.url })
  server.app.webhooks.test(id, hook.id)
  await server.clock.advance(0)
  expect(server.app.deliveries.list(id, hook.id)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  expect(deadlines).toEqual([10_000])
})
