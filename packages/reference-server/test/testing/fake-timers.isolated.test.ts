import { Formwire } from '@formwire/sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PATIENT } from '../../../../test/support/patience.ts'
import { type FormwireKit, startFormwire } from '../../src/testing/index.ts'

let kit: FormwireKit | undefined
afterEach(async () => {
  // The timers are still fake here; closing must not need real ones.
  await kit?.close()
  kit = undefined
  vi.useRealTimers()
})

function publishForm({ server }: FormwireKit): string {
  const { id } = server.app.forms.create({ title: 'Feedback', questions: [] })
  return server.app.forms.publish(id).id
}

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

/** By default, vitest does not fake `queueMicrotask`. It rejects `nextTick`, which Node's sockets need, only in a fork. */
const WITH_MICROTASKS = {
  toFake: [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
    'performance',
    'Date',
    'queueMicrotask',
  ],
} satisfies Parameters<typeof vi.useFakeTimers>[0]

describe.each([
  ['before the kit starts, with the defaults of vi.useFakeTimers', 'before', undefined],
  ['before the kit starts, queueMicrotask included', 'before', WITH_MICROTASKS],
  ['after the kit has started, queueMicrotask included', 'after', WITH_MICROTASKS],
] as const)('the test kit, with fake timers installed %s', (_name, when, config) => {
  const start = async (): Promise<FormwireKit> => {
    if (when === 'before') vi.useFakeTimers(config)
    kit = await startFormwire()
    if (when === 'after') vi.useFakeTimers(config)
    return kit
  }

  it('[DLV-06] advances its clock past a retry and finds the delivery', async () => {
    const { server, receiver, connectReceiver, waitForDelivery } = await start()
    const formId = publishForm(kit!)
    await connectReceiver(formId)
    receiver.respond('500', 'slow(1)')
    server.app.responses.create(formId, { deliver: true })
    await waitForDelivery({ status: 'pending', attempts: 1, http_status: 500 }, PATIENT)
    await server.clock.advance('1m')
    await waitForDelivery({ status: 'delivered', attempts: 2 }, PATIENT)
    expect(await receiver.waitFor(2, PATIENT)).toHaveLength(2)
  })

  it('[DLV-05] ends an attempt at its deadline', async () => {
    kit = await startFormwire({ deliveryTimeoutMs: 1 })
    vi.useFakeTimers(config)
    const formId = publishForm(kit)
    await kit.connectReceiver(formId)
    kit.receiver.respond('timeout')
    kit.server.app.responses.create(formId, { deliver: true })
    await kit.server.clock.advance(0)
    const [endpoint] = kit.server.app.webhooks.list(formId)
    const [entry] = kit.server.app.deliveries.list(formId, endpoint!.id)
    expect(kit.server.app.deliveries.get(entry!.id).attempts[0]?.error).toBe('timeout')
  })

  it('[DLV-05] leaves no connection open behind each delivery', async () => {
    const { server, connectReceiver } = await start()
    const formId = publishForm(kit!)
    await connectReceiver(formId)
    const before = openSockets()
    for (let count = 0; count < 40; count += 1) {
      server.app.responses.create(formId, { deliver: true })
      await server.clock.advance(0)
    }
    expect(openSockets() - before).toBeLessThan(10)
  })

  it('[DLV-07] times out a wait that nothing matches', async () => {
    const { waitForDelivery } = await start()
    await expect(waitForDelivery({ status: 'failed' }, { timeoutMs: 1 })).rejects.toThrow(
      'Timed out after 1 ms',
    )
  })
})

it('[FORM-03] responds to the SDK under the default fake timers', async () => {
  vi.useFakeTimers()
  kit = await startFormwire()
  const form = await new Formwire(kit.clientOptions).forms.get(publishForm(kit))
  expect(form.title).toBe('Feedback')
})
