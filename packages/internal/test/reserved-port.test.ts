import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { reservePort } from '../src/reserved-port.ts'

it('reserves a port that refuses connections, and on which a program can listen more than once', async () => {
  const { port, release } = await reservePort()
  for (let start = 0; start < 2; start += 1) {
    const refused = await once(connect(port, '127.0.0.1'), 'connect').catch((error) => error.code)
    expect(refused).toBe('ECONNREFUSED')
    const server = createServer().listen(port, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    server.close()
    await once(server, 'close')
  }
  release()
})
