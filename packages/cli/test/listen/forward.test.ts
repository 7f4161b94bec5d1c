import { expect, it, vi } from 'vitest'
import { sendRequest } from '../../src/http/request.ts'
import { forward } from '../../src/listen/forward.ts'

vi.mock('../../src/http/request.ts', () => ({
  sendRequest: vi.fn(async () => ({ status: 204, headers: {}, body: Buffer.alloc(0) })),
}))

it('[DLV-05] times the handler out after 10 s, like the service', async () => {
  const delivery = { rawHeaders: ['X-Service-Delivery', 'dlv_1'], body: Buffer.from('{}') }
  const forwarded = await forward(delivery, 'http://127.0.0.1:9/', () => 0)
  expect(forwarded).toMatchObject({ reached: true, status: 204 })
  expect(vi.mocked(sendRequest).mock.lastCall?.[0]).toMatchObject({ timeoutMs: 10_000 })
})
