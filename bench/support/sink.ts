/**
 * A receiver with minimal overhead: plain TCP and a fixed response to each complete request. Runs as a child process:
 * `sink.ts STATUS`. Sends its port to the parent, and replies to each message with the number of deliveries and requests,
 * and to `latencies` with the time from submission to arrival of each delivery whose body contains its submission time.
 *
 * After `hold`, requests to the path `/held` hang until `release`.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

const status = process.argv[2] ?? '200'
const response = Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nok`)
const HELD_REQUEST = 'post /held '
const HEAD_END = Buffer.from('\r\n\r\n')
/** `at 123456789 ns`, a time of the monotonic clock, which all processes share. */
const SUBMITTED_AT = /at (\d+) ns/
const seen = new Map<string, number>()
const held: Socket[] = []
let holding = false
/** Milliseconds from submission to arrival, except on the path that may hang. */
let latencies: number[] = []

/** Responds to the complete requests at the start of the received bytes, and returns the rest. */
function consume(pending: Buffer, socket: Socket): Buffer {
  let rest = pending
  for (;;) {
    const end = rest.indexOf(HEAD_END)
    if (end < 0) return rest
    const head = rest.toString('latin1', 0, end).toLowerCase()
    const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0)
    const bodyAt = end + HEAD_END.length
    if (rest.length < bodyAt + length) return rest
    const id = /x-service-delivery: (\S+)/.exec(head)?.[1] ?? ''
    seen.set(id, (seen.get(id) ?? 0) + 1)
    const mayHang = head.startsWith(HELD_REQUEST)
    const submittedAt = SUBMITTED_AT.exec(rest.toString('latin1', bodyAt, bodyAt + length))?.[1]
    if (submittedAt && !mayHang) latencies.push(Number(process.hrtime.bigint() - BigInt(submittedAt)) / 1e6)
    if (mayHang && holding) held.push(socket)
    else socket.write(response)
    rest = rest.subarray(bodyAt + length)
  }
}

const server = createServer((socket: Socket) => {
  let pending: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending = consume(pending.length === 0 ? chunk : Buffer.concat([pending, chunk]), socket)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (message) => {
  if (message === 'clear') {
    seen.clear()
    latencies = []
  }
  if (message === 'hold') holding = true
  if (message === 'release') {
    holding = false
    for (const socket of held.splice(0)) socket.write(response)
  }
  const requests = [...seen.values()].reduce((sum, count) => sum + count, 0)
  const shown = message === 'latencies' ? latencies : []
  process.send?.({ deliveries: seen.size, requests, held: held.length, latencies: shown })
})
process.on('disconnect', () => process.exit(0))
