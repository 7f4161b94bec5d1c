/**
 * A receiver with minimal overhead: plain TCP and a fixed response to each complete request. Runs as a child process, and prints its
 * port as a line of JSON.
 */
import { type AddressInfo, createServer } from 'node:net'

const RESPONSE = Buffer.from('HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\nok')
const HEAD_END = Buffer.from('\r\n\r\n')

const server = createServer((socket) => {
  let pending: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    for (;;) {
      const end = pending.indexOf(HEAD_END)
      if (end < 0) return
      const head = pending.toString('latin1', 0, end).toLowerCase()
      const size = end + HEAD_END.length + Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)
      if (pending.length < size) return
      socket.write(RESPONSE)
      pending = pending.subarray(size)
    }
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })),
)
