// As in Next's Edge runtime, where every function of `process` throws, also when packages load.
import assert from 'node:assert/strict'

const { env, ...others } = process
globalThis.process = new Proxy(others, {
  get: (_, name) => {
    if (name === 'env') return env
    return () => {
      throw new Error(`process.${String(name)} is not supported`)
    }
  },
})
const { Formwire } = await import('@formwire/sdk')
const { createReceiver } = await import('@formwire/webhook-verify/next')
const { signWebhook } = await import('@formwire/webhook-verify/web')

const secret = 'whsec_edge'
const handled = []
const receive = createReceiver({ secret, on: {}, otherwise: (event) => handled.push(event.type) })
const { headers, body } = await signWebhook({ event: 'order.paid', payload: {}, secret })
const { status } = await receive(
  new Request('https://app.example/webhook', { method: 'POST', headers, body }),
)
assert.deepEqual([status, handled], [200, ['order.paid']])
const fetch = async () => Response.json({ data: { user: { name: 'Ada' } } })
const { user } = await new Formwire({ apiKey: 'svc_edge', baseUrl: 'https://api.example', fetch }).me()
assert.equal(user.name, 'Ada')
