/**
 * A receiver that costs as little as one can: plain TCP, a fixed answer to each whole request. Run as a child, so that
 * it does not share the sender's thread: `sink.ts STATUS`. Says its port to the parent; `count` asks how many deliveries
 * came, how many of them twice, and how long each took that says in its body when it was submitted.
 *
 * The path `/held` answers like any other until `hold`; from then on it hangs, until `release` answers all at once.
 */

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

const status = process.argv[2] ?? '200'
const answer = Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: 2\r\n\r\nok`)
const HELD_REQUEST = 'post /held '
const HEAD_END = Buffer.from('\r\n\r\n')
/** Of the machine's monotonic clock, which is the same in every process: `at 123456789 ns`. */
const SUBMITTED_AT = /at (\d+) ns/
const seen = new Map<string, number>()
const held: Socket[] = []
let holding = false
/** Milliseconds from submission to arrival, of all but the path that may hang. */
let latencies: number[] = []

/** Takes the whole requests off the front of what has come, and answers them. */
function take(pending: Buffer, socket: Socket): Buffer {
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
    else socket.write(answer)
    rest = rest.subarray(bodyAt + length)
  }
}

const server = createServer((socket: Socket) => {
  let pending: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    pending = take(pending.length === 0 ? chunk : Buffer.concat([pending, chunk]), socket)
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
    for (const socket of held.splice(0)) socket.write(answer)
  }
  const requests = [...seen.values()].reduce((sum, count) => sum + count, 0)
  const shown = message === 'latencies' ? latencies : []
  process.send?.({ deliveries: seen.size, requests, held: held.length, latencies: shown })
})
process.on('disconnect', () => process.exit(0))
