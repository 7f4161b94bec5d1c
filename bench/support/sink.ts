/**
 * A receiver that costs as little as one can: plain TCP, a fixed answer to each whole request. Run as a child, so that
 * it does not share the sender's thread: `sink.ts STATUS [HANG]`. Says its port to the parent; `count` asks how many
 * deliveries came, how many of them twice.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

const status = process.argv[2] ?? '200'
const hang = process.argv[3] === 'hang'
const answer = Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nok`)
const BODY = Buffer.from('\r\n\r\n')
const seen = new Map<string, number>()

/** Takes the whole requests off the front of what has come, and counts them. */
function take(pending: Buffer): { rest: Buffer; requests: number } {
  let requests = 0
  let rest = pending
  for (;;) {
    const end = rest.indexOf(BODY)
    if (end < 0) return { rest, requests }
    const head = rest.toString('latin1', 0, end).toLowerCase()
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)
    if (rest.length < end + 4 + length) return { rest, requests }
    const id = /x-service-delivery: (\S+)/.exec(head)?.[1] ?? ''
    seen.set(id, (seen.get(id) ?? 0) + 1)
    requests += 1
    rest = rest.subarray(end + 4 + length)
  }
}

const server = createServer((socket: Socket) => {
  let pending: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const { rest, requests } = take(pending.length === 0 ? chunk : Buffer.concat([pending, chunk]))
    pending = rest
    if (!hang) for (let count = 0; count < requests; count += 1) socket.write(answer)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (message) => {
  if (message === 'clear') seen.clear()
  const requests = [...seen.values()].reduce((sum, count) => sum + count, 0)
  process.send?.({ deliveries: seen.size, requests })
})
process.on('disconnect', () => process.exit(0))
