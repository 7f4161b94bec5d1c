import { expect, it, vi } from 'vitest'
import { sendRequest } from '../../src/http/request.ts'
import { Handler, Targets } from '../../src/listen/handler.ts'

vi.mock('../../src/http/request.ts', () => ({
  sendRequest: vi.fn(async () => ({ status: 204, headers: {}, body: Buffer.alloc(0) })),
}))

it('[DLV-05] times the handler out after 10 s, like the service', async () => {
  const handler = new Handler({
    targets: new Targets([{ formId: undefined, url: 'http://127.0.0.1:9/' }]),
    headers: {},
    insecure: false,
    signWith: undefined,
    secretOrigin: 'the secret',
    starting: () => false,
    clock: { now: () => 0, sleep: async () => undefined },
  })
  const delivery = { rawHeaders: ['X-Service-Delivery', 'dlv_1'], body: Buffer.from('{}') }
  expect(await handler.send(delivery, null)).toMatchObject({ status: 204, reason: null })
  expect(vi.mocked(sendRequest).mock.lastCall?.[0]).toMatchObject({ timeoutMs: 10_000 })
})
