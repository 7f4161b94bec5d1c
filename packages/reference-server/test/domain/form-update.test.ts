import { afterEach, describe, expect, it } from 'vitest'
import { isTitle } from '../../src/domain/form-update.ts'
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from '../../src/index.ts'
import { FORM, KEYS, NOW, SEED } from '../conformance/seed.ts'

const open: ReferenceServer[] = []
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

async function start(options: ReferenceServerOptions = {}) {
  const server = createReferenceServer({ seed: SEED, clock: 'manual', now: NOW, ...options })
  open.push(server)
  await server.ready
  const ask = async (method: string, json?: object) => {
    const response = await server.fetch(`http://formwire.test/api/v1/forms/${FORM}`, {
      method,
      headers: { authorization: `Bearer ${KEYS.write}`, 'content-type': 'application/json' },
      ...(json && { body: JSON.stringify(json) }),
    })
    return (await response.json()) as { data: { url: string; status: string; updated_at: string } }
  }
  return { server, ask }
}

describe('a form', () => {
  it('[FORM-05] accepts titles of 1 to 200 code points', () => {
    const titles = [
      '',
      'x',
      'x'.repeat(200),
      'x'.repeat(201),
      '👩'.repeat(200),
      '👩'.repeat(201),
      'x'.repeat(401),
    ]
    expect(titles.map(isTitle)).toEqual([false, true, true, false, true, false, false])
  })

  it('[FORM-08] accepts the current status past its end, also where reopening is refused', async () => {
    const { server, ask } = await start({ unspecified: { reopen: 'refusedPastEnd' } })
    server.app.forms.update(FORM, { closes_at: '2026-03-02T12:00:01Z' })
    await server.clock.advance('1s')
    expect((await ask('PATCH', { status: 'published' })).data).toMatchObject({
      status: 'published',
      updated_at: '2026-03-02T12:00:01.000Z',
    })
    expect((await ask('PATCH', { status: 'closed' })).data.status).toBe('closed')
    expect(await ask('PATCH', { status: 'published' })).toMatchObject({
      error: { details: { field: 'status' } },
    })
  })

  it("[FORM-04] shows a public link with the server's URL once it listens", async () => {
    const { server, ask } = await start()
    expect((await ask('GET')).data.url).toBe('http://formwire.test/f/survey')
    const { url } = await server.listen({ port: 0 })
    expect((await ask('GET')).data.url).toBe(`${url}/f/survey`)
  })
})
