import { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { safeConnector } from '../../src/delivery/safe-connect.ts'
import type { AddressSettings } from '../../src/delivery/webhook-target.ts'
import { deferred } from '../support/deferred.ts'

const SETTINGS: AddressSettings = {
  rules: 'production',
  hostOverrides: new Map(),
  resolve: async () => ['93.184.216.34', '2606:4700::1111'],
}

/** Asks the connector for a connection, but opens none: its socket, and what it calls back with. */
function connect(origin: string, timeoutMs = WAIT_MS) {
  const original = Socket.prototype.connect
  let socket: Socket | undefined
  Socket.prototype.connect = function (this: Socket) {
    socket = this
    return this
  } as typeof original
  const { protocol, hostname, host, port } = new URL(origin)
  const calls: (Error | null)[] = []
  const { promise: called, resolve: call } = deferred()
  try {
    safeConnector(SETTINGS, timeoutMs)({ protocol, hostname, host, port }, (...[error]) => {
      calls.push(error)
      call()
    })
  } finally {
    Socket.prototype.connect = original
  }
  onTestFinished(() => {
    socket?.destroy(new Error('The test has ended.'))
  })
  return { socket: socket as Socket | undefined, calls, called }
}

describe('the end of a connection attempt', () => {
  const failure = (code: string) => Object.assign(new Error(`failed: ${code}`), { code })

  it.each(['http', 'https'])('[DLV-05] is the connection over %s, and no later error', (scheme) => {
    const { socket, calls } = connect(`${scheme}://hooks.example.com`)
    socket?.emit('connect')
    socket?.emit('secureConnect')
    expect(calls).toEqual([null])
    socket?.emit('error', failure('ECONNRESET'))
    expect(calls).toEqual([null])
  })

  it('[DLV-05] comes after the handshake over https', () => {
    const { socket, calls } = connect('https://hooks.example.com')
    socket?.emit('connect')
    expect(calls).toEqual([])
  })

  it.each(['http', 'https'])('[DLV-05] is the error of a connection refused over %s', (scheme) => {
    const { socket, calls } = connect(`${scheme}://hooks.example.com`)
    const refused = failure('ECONNREFUSED')
    socket?.emit('error', refused)
    expect(calls[0]).toBe(refused)
  })

  it('[DLV-05] is an error of TLS if the handshake fails', () => {
    const { socket, calls } = connect('https://hooks.example.com')
    const cause = failure('DEPTH_ZERO_SELF_SIGNED_CERT')
    socket?.emit('connect')
    socket?.emit('error', cause)
    expect(calls[0]).toMatchObject({ failure: 'tls', message: 'failed: DEPTH_ZERO_SELF_SIGNED_CERT', cause })
  })

  it.each(['ECONNRESET', 'EPIPE'])('[DLV-05] is %s if the peer closes during the handshake', (code) => {
    const { socket, calls } = connect('https://hooks.example.com')
    const closed = failure(code)
    socket?.emit('connect')
    socket?.emit('error', closed)
    expect(calls[0]).toBe(closed)
  })

  it.each([
    ['http', []],
    ['https', ['connect']],
  ])('[DLV-05] is a timeout if nothing responds over %s', async (scheme, events) => {
    const { socket, calls, called } = connect(`${scheme}://hooks.example.com`, 5)
    for (const event of events) socket?.emit(event)
    await called
    expect(calls[0]).toMatchObject({ failure: 'timeout', message: 'No connection within 5 ms.' })
  })
})
