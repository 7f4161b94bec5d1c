import { createServer as createTlsServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { serve } from '../../../../test/support/serve.ts'
import { TLS_CERTIFICATE, TLS_KEY } from '../../../../test/support/tls.ts'
import { createWorld, listen, type World } from './world.ts'

/** How the one attempt of a new response ended. */
async function attempt({ server, formId, submit }: World, endpointId: number): Promise<string | null> {
  submit()
  await server.clock.advance(0)
  const [entry] = server.app.deliveries.list(formId, endpointId)
  return server.app.deliveries.get(entry!.id).attempts[0]!.error
}

describe('the rules at every attempt', () => {
  it('[HOOK-05] refuses a name that resolves elsewhere later, though its connection is still open', async () => {
    const receiver = await listen()
    const { port } = new URL(receiver.url)
    let answers = ['127.0.0.1']
    const world = await createWorld({ dns: async () => answers })
    const { id } = await world.hook(`http://moves.example.com:${port}/`)
    expect(await attempt(world, id)).toBeNull()
    answers = ['10.0.0.1']
    expect(await attempt(world, id)).toBe('address_refused')
    expect(world.log(id)[0]).toMatchObject({ status: 'pending', attempts: 1 })
    answers = ['127.0.0.1', '10.0.0.1']
    expect(await attempt(world, id)).toBe('address_refused')
    answers = ['127.0.0.1']
    expect(await attempt(world, id)).toBeNull()
    expect(receiver.deliveries).toHaveLength(2)
  })

  it('[HOOK-05] checks the addresses that it connects to (rebinding between two lookups)', async () => {
    const receiver = await listen()
    const { port } = new URL(receiver.url)
    let asked = 0
    // Registration, then the look before the attempt, then the look-up of the connection itself.
    const world = await createWorld({
      dns: async () => {
        asked += 1
        return asked % 3 === 0 ? ['169.254.169.254'] : ['127.0.0.1']
      },
    })
    const { id } = await world.hook(`http://rebinds.example.com:${port}/`)
    expect(await attempt(world, id)).toBe('address_refused')
    expect(asked).toBe(3)
    expect(receiver.deliveries).toEqual([])
  })

  it("[HOOK-05] connects to any of a name's addresses that accepts", async () => {
    const receiver = await listen()
    const { port } = new URL(receiver.url)
    const world = await createWorld({ dns: async () => ['::1', '127.0.0.1'] })
    const { id } = await world.hook(`http://both.example.com:${port}/`)
    expect(await attempt(world, id)).toBeNull()
    expect(receiver.deliveries[0]?.headers.host).toBe(`both.example.com:${port}`)
  })
})

describe('host overrides', () => {
  it('[HOOK-04] send a public host to a local receiver with its Host header, under the production rules', async () => {
    const receiver = await listen()
    const world = await createWorld({
      addressRules: 'production',
      routes: { 'https://hooks.example.com': receiver.url },
      dns: () => Promise.reject(new Error('nobody is asked for a routed name')),
    })
    const { id, secret } = await world.hook('https://hooks.example.com/in?x=1')
    receiver.secrets = [secret]
    expect(await attempt(world, id)).toBeNull()
    expect(receiver.deliveries.map(({ path, headers, verified }) => [path, headers.host, verified])).toEqual([
      ['/in?x=1', 'hooks.example.com', true],
    ])
  })
})

describe('TLS', () => {
  it('[DLV-05] refuses an untrusted certificate', async () => {
    const peer = createTlsServer({ key: TLS_KEY, cert: TLS_CERTIFICATE }, (_request, response) =>
      response.end('ok'),
    )
    const world = await createWorld()
    const { id } = await world.hook((await serve(peer)).replace('http:', 'https:'))
    expect(await attempt(world, id)).toBe('tls')
  })
})
