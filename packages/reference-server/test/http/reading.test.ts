import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handlers } from '../../src/http/transports/msw.ts'
import { SocketRequest } from '../../src/http/transports/socket-request.ts'
import type { ReferenceServer, ReferenceServerOptions } from '../../src/index.ts'
import { FORM, KEYS, NOW, SEED } from '../conformance/seed.ts'
import { ask, openServer } from '../support/server.ts'

async function start(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const server = openServer({ seed: SEED, clock: 'manual', now: NOW, ...options })
  await server.ready
  return server
}
const authorization = `Bearer ${KEYS.write}`

describe('reading a request', () => {
  it('[RATE-02] returns the IPv4 address of an IPv4 peer of a dual-stack socket', () => {
    const addressOf = (remoteAddress: string | undefined) =>
      new SocketRequest({ url: '/', headers: {}, socket: { remoteAddress } } as never, {} as never).address
    expect(['::ffff:10.0.0.1', '10.0.0.1', '::1', undefined].map(addressOf)).toEqual([
      '10.0.0.1',
      '10.0.0.1',
      '::1',
      '0.0.0.0',
    ])
  })

  it('[ERR-01] accepts a body of exactly 1 MiB, and not one byte more, over every transport', async () => {
    const server = await start()
    const { url } = await server.listen({ port: 0 })
    const bodyOf = (bytes: number): string => {
      const text = '{"title":"New","pad":""}'
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
    }
    const patch = async (send: typeof fetch, root: string, bytes: number, chunked: boolean) => {
      const body = bodyOf(bytes)
      const response = await send(`${root}/api/v1/forms/${FORM}`, {
        method: 'PATCH',
        headers: {
          authorization,
          'content-type': 'application/json; profile=x',
          'content-encoding': 'identity',
        },
        body: chunked ? new Blob([body]).stream() : body,
        ...(chunked && { duplex: 'half' }),
      } as RequestInit)
      return response.status
    }
    const inProcess = ((input: string, init: RequestInit) =>
      server.fetch(new Request(input, init))) as typeof fetch
    for (const [send, root] of [
      [fetch, url],
      [inProcess, 'http://formwire.test'],
    ] as const)
      for (const chunked of [false, true])
        expect([
          root,
          chunked,
          await patch(send, root, 1_048_576, chunked),
          await patch(send, root, 1_048_577, chunked),
        ]).toEqual([root, chunked, 200, 400])
  })

  it('serves requests below a base URL with a path', async () => {
    const server = await start()
    const mock = setupServer(...handlers(server, { baseUrl: 'https://forms.example.com/base/' }))
    mock.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => mock.close())
    const response = await fetch('https://forms.example.com/base/api/v1/me?a=1', {
      headers: { authorization },
    })
    expect(response.status).toBe(200)
    expect(server.app.requests.list()[0]).toMatchObject({ path: '/api/v1/me', query: 'a=1' })
    server.app.faults.add({ reset: true })
    await expect(fetch('https://forms.example.com/base/api/v1/me')).rejects.toThrow('Failed to fetch')
    // Not below the base URL, so it is nobody's. msw prints that.
    const print = vi.spyOn(console, 'error').mockReturnValue()
    for (const url of ['https://forms.example.com/basement/api/v1/me', 'https://other.example.com/base/'])
      await expect(fetch(url)).rejects.toThrow('Cannot bypass a request')
    expect(print).toHaveBeenCalledTimes(2)
    print.mockRestore()
    expect(server.app.requests.list()).toHaveLength(2)
  })
})

describe('authenticating a key', () => {
  it('[AUTH-10] rejects a key whose user is not a member of its workspace, as in an edited snapshot', async () => {
    const server = await start()
    const me = async () => (await ask(server, 'GET', '/api/v1/me', undefined, { authorization })).status
    expect(await me()).toBe(200)
    const snapshot = structuredClone(server.app.snapshot.take())
    const people = snapshot.state.people as { memberships: readonly { userId: number }[] }
    people.memberships = people.memberships.filter(({ userId }) => userId !== 1)
    server.app.snapshot.restore(snapshot)
    expect(await me()).toBe(401)
  })
})
