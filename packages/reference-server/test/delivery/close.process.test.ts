import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bundled } from '../../../../test/support/bundled.ts'
import { PATIENT, TEST_TIMEOUT_MS, WAIT_MS } from '../../../../test/support/patience.ts'
import { start } from '../../../../test/support/spawn.ts'
import { createWorld } from './world.ts'

describe('close', () => {
  it.each(['manual', 'real'])(
    'leaves no handle open: with a %s clock the process ends by itself',
    async (mode) => {
      const program = await bundled(new URL('ends-by-itself.ts', import.meta.url))
      const { child, finished } = start([program, mode], process.env, '')
      const limit = setTimeout(() => child.kill('SIGKILL'), WAIT_MS)
      expect(await finished).toEqual({ code: 0, signal: null, stdout: 'closed\n', stderr: '' })
      clearTimeout(limit)
    },
  )

  it('ends attempts in flight immediately', async () => {
    const { server, submit, receive } = await createWorld({ deliveryTimeoutMs: 2 * TEST_TIMEOUT_MS })
    const { receiver } = await receive({ script: ['timeout', 'hang-body', 'endless-body'] })
    for (let count = 0; count < 3; count += 1) submit()
    await receiver.waitFor(3, PATIENT)
    // Otherwise this takes longer than a test may.
    await server.close()
    expect(receiver.deliveries).toHaveLength(3)
  })

  it('closes idle connections', async () => {
    const { server, submit, hook } = await createWorld()
    const ended: Promise<unknown>[] = []
    // This side keeps an idle connection for longer than a test may take.
    const receiver = createServer({ keepAliveTimeout: 2 * TEST_TIMEOUT_MS }, (_request, response) =>
      response.end('ok'),
    )
    receiver.on('connection', (socket) => ended.push(once(socket, 'close')))
    await once(receiver.listen(0, '127.0.0.1'), 'listening')
    await hook(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`)
    submit()
    await server.clock.advance(0)
    expect(ended).toHaveLength(1)
    await server.close()
    await Promise.all(ended)
    receiver.close()
  })
})
