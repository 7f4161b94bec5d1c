import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createReferenceServer } from '../../src/index.ts'
import { KEYS, SEED } from '../conformance/seed.ts'

vi.mock('../../src/real-timers.ts', async (original) =>
  (await import('./without-body-deadline.ts')).withoutBodyDeadline(await original()),
)

const auth = `Authorization: Bearer ${KEYS.write}\r\n`

it.each(['Transfer-Encoding: chunked', 'Content-Length: 999999999'])(
  '[ERR-01] reads at most 64 MiB of a refused body, %s',
  async (framing) => {
    const server = createReferenceServer({ seed: SEED })
    onTestFinished(() => server.close())
    const { url } = await server.listen({ port: 0 })
    const port = Number(new URL(url).port)
    const piece = 'x'.repeat(1_048_576)
    const bytes = framing.includes('chunked') ? `100000\r\n${piece}\r\n` : piece
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.resume()
    socket.write(
      `PATCH /api/v1/forms/formsurvey01 HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\n${framing}\r\n\r\n`,
    )
    let sent = 0
    while (!socket.destroyed && sent < 200) {
      sent += 1
      if (!socket.write(bytes))
        await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
    }
    socket.destroy()
    expect(sent).toBeGreaterThan(64)
    expect(sent).toBeLessThan(200)
  },
)
