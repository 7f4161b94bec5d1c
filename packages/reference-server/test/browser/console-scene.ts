import { vi } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { createMockReceiver, type ReferenceServer } from '../../src/index.ts'
import type { ReferenceServerOptions } from '../../src/options.ts'
import { seededRandom } from '../../src/random.ts'
import { DeadlineClock } from '../delivery/deadline-clock.ts'

/** The demo as `formwire-server` starts it, always with the same texts. */
export const demo = (): ReferenceServerOptions => ({
  seed: 'demo',
  limits: 'off',
  random: seededRandom(20_261_121),
  publicUrl: 'http://127.0.0.1:8787',
})

/** What the receiver does with each attempt: a mix of successes and failures. */
const SCRIPT = ['200', '500', '302', 'timeout', 'reset', '200', '404', '200', '503', '200']

/**
 * The demo seed with endpoints that succeed, fail and recover, and a few API requests. Host overrides send public names to
 * a local receiver, so that the scene always shows the same texts.
 */
export async function demoScene(): Promise<{
  options: ReferenceServerOptions
  prepare: (server: ReferenceServer, url: string) => Promise<void>
  close: () => Promise<void>
}> {
  const receiver = await createMockReceiver({ script: SCRIPT as never }).listen()
  const origin = new URL(receiver.url).origin
  const clock = new DeadlineClock(Date.parse('2026-11-21T12:00:00Z'))
  return {
    options: {
      ...demo(),
      clock,
      routes: { 'https://hooks.harbourpine.example': origin, 'https://crm.harbourpine.example': origin },
    },
    async prepare(server, url) {
      const { webhooks, responses } = server.app
      const formId = 'guestvoice01'
      receiver.onDelivery = () => {
        if (SCRIPT[receiver.deliveries.length - 1] === 'timeout') void passDeadline()
      }
      const inFlight = () =>
        webhooks
          .list(formId)
          .flatMap(({ id }) => server.app.deliveries.list(formId, id))
          .filter(({ next_attempt_at: next }) => next !== null && Date.parse(next) <= clock.now())
      /** The other attempts of this instant get their responses first. */
      const passDeadline = async () => {
        await vi.waitUntil(() => inFlight().length === 1, { timeout: WAIT_MS })
        clock.passDeadlines()
      }
      const first = await webhooks.create(formId, { url: 'https://hooks.harbourpine.example/formwire' })
      const second = await webhooks.create(formId, { url: 'https://crm.harbourpine.example/guests/feedback' })
      webhooks.test(formId, first.id)
      await server.clock.advance('3m')
      const written = responses.list(formId, 'submitted', 0, 4).items.map(({ json }) => JSON.parse(json))
      for (const { answers, email, meta } of written) {
        responses.create(formId, { answers, email, meta, deliver: true })
        await server.clock.advance('40s')
      }
      webhooks.test(formId, second.id)
      await server.clock.advance('2m')
      const ask = (path: string, method = 'GET') =>
        fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${server.writeKey}` } })
      await ask('/me')
      await ask('/forms?status=published')
      await ask(`/forms/${formId}/responses?per_page=5`)
      await ask(`/forms/${formId}/webhooks/999`, 'DELETE')
      await fetch(`${url}/api/v1/me`)
    },
    close: () => receiver.close(),
  }
}
