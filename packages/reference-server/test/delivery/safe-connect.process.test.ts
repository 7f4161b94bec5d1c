import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { safeConnector } from '../../src/delivery/safe-connect.ts'
import { AddressRefusedError } from '../../src/delivery/webhook-target.ts'
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

  it('[HOOK-05] refuses a literal that was registered under other rules', async () => {
    const receiver = await listen()
    const lax = await createWorld()
    await lax.hook(receiver.url)
    const strict = await createWorld({ addressRules: 'production' })
    strict.server.app.snapshot.restore(lax.server.app.snapshot.take())
    strict.server.app.responses.create(lax.formId, { deliver: true })
    await strict.server.clock.advance(0)
    const [entry] = strict.server.app.deliveries.list(lax.formId, 1)
    expect(strict.server.app.deliveries.get(entry!.id).attempts[0]?.error).toBe('address_refused')
    expect(receiver.deliveries).toEqual([])
  })

  it.each([
    ['http:', '127.0.0.1', 'production'],
    ['https:', '10.0.0.1', 'development'],
    ['https:', '[::ffff:10.0.0.1]', 'development'],
    ['https:', '[fe80::1]', 'production'],
  ] as const)(
    '[HOOK-05] opens no connection to %s//%s under the %s rules',
    async (protocol, hostname, rules) => {
      const settings = { rules, hostOverrides: new Map(), resolve: async () => ['93.184.216.34'] }
      const error = await new Promise<Error | null>((resolve) => {
        const options = { protocol, hostname, port: '8080', host: `${hostname}:8080` }
        safeConnector(settings, 1_000)(options, (...[failure]) => resolve(failure))
      })
      expect(error).toBeInstanceOf(AddressRefusedError)
    },
  )

  it('[HOOK-05] checks the port of an overridden host from a snapshot', async () => {
    const receiver = await listen()
    const lax = await createWorld({ dns: { 'hooks.example.com': ['127.0.0.1'] } })
    await lax.hook('http://hooks.example.com:5000/')
    const world = await createWorld({ routes: { 'hooks.example.com': receiver.url } })
    world.server.app.snapshot.restore(lax.server.app.snapshot.take())
    world.server.app.responses.create(lax.formId, { deliver: true })
    await world.server.clock.advance(0)
    const [entry] = world.server.app.deliveries.list(lax.formId, 1)
    expect(world.server.app.deliveries.get(entry!.id).attempts[0]?.error).toBe('address_refused')
    expect(receiver.deliveries).toEqual([])
  })

  it('[HOOK-05] retries a refused address, which may change', async () => {
    let answers = ['127.0.0.1']
    const receiver = await listen()
    const world = await createWorld({ dns: async () => answers })
    const { id } = await world.hook(`http://moves.example.com:${new URL(receiver.url).port}/`)
    answers = ['10.0.0.1']
    world.submit()
    await world.server.clock.advance(0)
    answers = ['127.0.0.1']
    await world.server.clock.advance('1m')
    expect(world.log(id)).toEqual([{ status: 'delivered', attempts: 2, note: null }])
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

  it('[HOOK-04] apply to every allowed port and to no other', async () => {
    const receiver = await listen()
    const world = await createWorld({
      addressRules: 'production',
      routes: { 'hooks.example.com': receiver.url },
    })
    for (const port of [80, 443, 8080, 8443]) {
      const { id } = await world.hook(`https://hooks.example.com:${port}/`)
      expect(await attempt(world, id)).toBeNull()
      world.server.app.webhooks.delete(world.formId, id)
    }
    expect(receiver.deliveries.map(({ headers }) => headers.host)).toEqual([
      'hooks.example.com:80',
      'hooks.example.com',
      'hooks.example.com:8080',
      'hooks.example.com:8443',
    ])
    for (const url of [
      'https://hooks.example.com:3000/',
      'http://hooks.example.com/',
      'https://user@hooks.example.com/',
      `https://hooks.example.com/${'a'.repeat(475)}`,
      'https://other.example.com.invalid/',
    ]) {
      await expect(world.hook(url)).rejects.toMatchObject({ status: 422 })
    }
  })

  it('[HOOK-04] are refused at the start when invalid', async () => {
    const { createReferenceServer } = await import('../../src/index.ts')
    expect(() =>
      createReferenceServer({ routes: { 'https://hooks.example.com': 'ftp://127.0.0.1' } }),
    ).toThrow('Invalid route https://hooks.example.com=ftp://127.0.0.1')
  })
})

describe('TLS', () => {
  it('[DLV-05] refuses an untrusted certificate', async () => {
    const { key, cert } = selfSigned()
    const peer = createTlsServer({ key, cert }, (_request, response) => response.end('ok'))
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
    try {
      const world = await createWorld()
      const { id } = await world.hook(`https://127.0.0.1:${(peer.address() as AddressInfo).port}/`)
      expect(await attempt(world, id)).toBe('tls')
    } finally {
      peer.closeAllConnections()
      peer.close()
    }
  })
})

function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'formwire-tls-'))
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
  try {
    const subject = ['-subj', '/CN=127.0.0.1', '-days', '2']
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync(
      'openssl',
      ['req', '-x509', ...curve, ...subject, '-keyout', files.key, '-out', files.cert],
      {
        stdio: 'ignore',
      },
    )
    return { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
