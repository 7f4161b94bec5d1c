import { Socket, type TcpSocketConnectOpts } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WAIT_MS } from '../../../../test/support/patience.ts'
import { parseHostOverrides } from '../../src/delivery/host-overrides.ts'
import { ConnectTimeoutError, safeConnector, TlsHandshakeError } from '../../src/delivery/safe-connect.ts'
import { AddressRefusedError, type AddressSettings } from '../../src/delivery/webhook-target.ts'

const SETTINGS: AddressSettings = {
  rules: 'production',
  hostOverrides: new Map(),
  resolve: async () => ['93.184.216.34', '2606:4700::1111'],
}

type Opened = TcpSocketConnectOpts & { servername?: string; ALPNProtocols?: string[] }

/** Asks the connector for a connection, but opens none: what it would open, its socket, and what it calls back with. */
function connect(origin: string, settings: Partial<AddressSettings> = {}, timeoutMs = WAIT_MS) {
  const original = Socket.prototype.connect
  const opened: Opened[] = []
  const sockets: Socket[] = []
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    // net.connect passes its arguments as one array.
    opened.push((Array.isArray(args[0]) ? args[0][0] : args[0]) as Opened)
    sockets.push(this)
    return this
  } as typeof original
  const { protocol, hostname, host, port } = new URL(origin)
  const calls: (Error | null)[] = []
  let call = (): void => {}
  const called = new Promise<void>((resolve) => {
    call = resolve
  })
  try {
    safeConnector({ ...SETTINGS, ...settings }, timeoutMs)(
      { protocol, hostname, host, port },
      (...[error]) => {
        calls.push(error)
        call()
      },
    )
  } finally {
    Socket.prototype.connect = original
  }
  const [socket] = sockets
  onTestFinished(() => {
    socket?.destroy(new Error('The test has ended.'))
  })
  return { opened: opened[0], socket, calls, called }
}

/** What the lookup of a connection gives. */
const lookUp = ({ lookup }: TcpSocketConnectOpts, all: boolean): Promise<unknown[]> =>
  new Promise((resolve) => lookup?.('hooks.example.com.', { all }, (...given) => resolve(given)))

describe('the connection of an attempt', () => {
  it.each([
    ['http://hooks.example.com', 80],
    ['https://hooks.example.com', 443],
    ['http://hooks.example.com:8080', 8080],
    ['https://hooks.example.com.:8443', 8443],
  ])('[HOOK-05] to %s is opened to port %i of the name, looked up by its own lookup', (origin, port) => {
    expect(connect(origin).opened).toMatchObject({
      host: 'hooks.example.com',
      port,
      noDelay: true,
      keepAlive: true,
      lookup: expect.any(Function),
    })
  })

  it('[DLV-05] names the host to TLS, and asks for HTTP/1.1', () => {
    const { opened } = connect('https://hooks.example.com')
    expect([opened?.servername, opened?.ALPNProtocols]).toEqual(['hooks.example.com', ['http/1.1']])
    const literal = connect('https://93.184.216.34').opened
    expect(literal).toMatchObject({ host: '93.184.216.34', port: 443 })
    expect(literal).not.toHaveProperty('servername')
  })

  it('[HOOK-04] to an overridden host goes to its receiver, without a lookup, under its own name', () => {
    const hostOverrides = parseHostOverrides(
      new Map([
        ['hooks.example.com', 'https://127.0.0.1:4443'],
        ['https://10.0.0.1', 'http://localhost:4000'],
      ]),
    )
    const { opened } = connect('http://hooks.example.com', { hostOverrides })
    expect(opened).toMatchObject({ host: '127.0.0.1', port: 4443, servername: 'hooks.example.com' })
    expect(opened).not.toHaveProperty('lookup')
    const literal = connect('https://10.0.0.1', { hostOverrides }).opened
    expect(literal).toMatchObject({ host: 'localhost', port: 4000 })
    expect(literal).not.toHaveProperty('ALPNProtocols')
  })

  it.each(['https://10.0.0.1', 'https://[fe80::1]', 'https://93.184.216.34:5000'])(
    '[HOOK-05] to %s is refused in a later turn, and nothing is opened',
    async (origin) => {
      const { opened, calls, called } = connect(origin)
      expect([opened, calls]).toEqual([undefined, []])
      await called
      expect(calls).toEqual([expect.any(AddressRefusedError)])
    },
  )

  it('[HOOK-05] looks up every address of the name, or the first one', async () => {
    const opened = connect('https://hooks.example.com').opened as Opened
    expect(await lookUp(opened, true)).toEqual([
      null,
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    ])
    expect(await lookUp(opened, false)).toEqual([null, '93.184.216.34', 4])
  })

  it('[HOOK-05] fails in the lookup if one address, or the port, is forbidden', async () => {
    const asked: string[] = []
    const resolve = async (host: string) => {
      asked.push(host)
      return ['93.184.216.34', '10.0.0.1']
    }
    for (const { opened } of [
      connect('https://hooks.example.com', { resolve }),
      connect('https://hooks.example.com:5000'),
    ]) {
      expect(await lookUp(opened as Opened, true)).toEqual([expect.any(AddressRefusedError), '', 0])
    }
    expect(asked).toEqual(['hooks.example.com'])
  })
})

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
    expect(calls[0]).toBeInstanceOf(TlsHandshakeError)
    expect(calls[0]).toMatchObject({ message: 'failed: DEPTH_ZERO_SELF_SIGNED_CERT', cause })
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
    const { socket, calls, called } = connect(`${scheme}://hooks.example.com`, {}, 5)
    for (const event of events) socket?.emit(event)
    await called
    expect(calls[0]).toBeInstanceOf(ConnectTimeoutError)
    expect(calls[0]?.message).toBe('No connection within 5 ms.')
  })
})
