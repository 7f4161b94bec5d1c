import diagnostics from 'node:diagnostics_channel'
import { createReceiver } from '@formwire/webhook-verify'
import { createDelivery } from '@formwire/webhook-verify/testing'
import { afterEach, describe, expect, it } from 'vitest'

interface Message {
  type: string
  deliveryId: string | null
  error?: unknown
  run?: (handle: () => unknown) => unknown
}

const START = 'formwire:webhook:handle:start'
const END = 'formwire:webhook:handle:end'
const delivery = createDelivery({ deliveryId: 'dlv_1' })

const subscribed: [string, (message: unknown) => void][] = []
function subscribe(name: string, listen: (message: Message) => void): void {
  const listener = (message: unknown) => listen(message as Message)
  diagnostics.subscribe(name, listener)
  subscribed.push([name, listener])
}
afterEach(() => {
  for (const [name, listener] of subscribed.splice(0)) diagnostics.unsubscribe(name, listener)
})

const receiver = (handle: () => unknown) =>
  createReceiver({ secret: 'whsec_test', on: { 'response.submitted': handle }, onError: () => undefined })

describe('the diagnostics channels of handlers', () => {
  it('have one message for the start and the end of a handler', async () => {
    const seen: unknown[] = []
    subscribe(START, (message) => seen.push('start', message))
    subscribe(END, (message) => seen.push('end', message))
    const receive = receiver(async () => {
      await Promise.resolve()
      seen.push('handled')
    })
    expect((await receive(delivery)).status).toBe(200)
    const message = { type: 'response.submitted', deliveryId: 'dlv_1' }
    expect(seen).toEqual(['start', message, 'handled', 'end', message])
    expect(seen[1]).toBe(seen[4])
  })

  it('have the error of a handler, which the receiver reports as well', async () => {
    const errors: unknown[] = []
    subscribe(START, () => undefined)
    subscribe(END, ({ error }) => errors.push(error))
    const down = new Error('database down')
    expect((await receiver(() => Promise.reject(down))(delivery)).status).toBe(500)
    expect(errors).toEqual([down])
  })

  it('let a subscriber run the handler in its own context', async () => {
    const seen: string[] = []
    subscribe(START, (message) => {
      message.run = (handle) => {
        seen.push('before')
        return handle()
      }
    })
    expect((await receiver(() => seen.push('handled'))(delivery)).status).toBe(200)
    expect(seen).toEqual(['before', 'handled'])
  })

  it('have no message for an end whose start had no subscriber', async () => {
    const seen: unknown[] = []
    subscribe(END, (message) => seen.push(message))
    expect((await receiver(() => undefined)(delivery)).status).toBe(200)
    expect(seen).toEqual([])
  })
})
