import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { SenderSettings } from '../../src/delivery/sender.ts'
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

it.each([{}, { deliveryTimeoutMs: undefined }])(
  '[DLV-05] gives an attempt 1 second in the test kit, also with %j',
  async (options) => {
    const kit = await startFormwire(options)
    onTestFinished(() => kit.close())
    const form = kit.server.app.forms.create({ title: 'Feedback' })
    const hook = await kit.connectReceiver(form.id)
    kit.server.app.webhooks.test(form.id, hook.id)
    await kit.server.clock.advance(0)
    expect(deadlines).toEqual([1000])
  },
)
