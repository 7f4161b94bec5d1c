import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ReferenceServerOptions } from '../../src/options.ts'
import { ask, openServer } from '../support/server.ts'

const SECRET = `whsec_${'a'.repeat(40)}`

/** A server with a form, and what calls its API: in process, or over a socket after `listen`. */
function start(options: ReferenceServerOptions = {}) {
  const server = openServer({ clock: 'manual', limits: 'off', ...options })
  const { id: formId } = server.app.forms.create({ title: 'Journal', questions: [] })
  return {
    server,
    formId,
    path: `/forms/${formId}`,
    call: (method: string, path: string, body?: string, headers?: Record<string, string>) =>
      ask(server, method, `/api/v1${path}`, body, {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      }),
    latest: () => server.app.requests.get(String(server.app.requests.list()[0]?.number)),
  }
}

describe('headers and bodies in the journal', () => {
  it('are those of the request and of its response', async () => {
    const { server, call, path, latest } = start()
    await call('PATCH', path, '{"title":"Café"}', { 'x-trace': '7' })
    expect(latest()).toMatchObject({
      method: 'PATCH',
      status: 200,
      duration_ms: expect.any(Number),
      request_headers: { 'content-type': 'application/json', 'x-trace': '7' },
      request_body: { text: '{"title":"Café"}', bytes: 17, truncated: false },
      response_headers: { 'content-type': 'application/json', 'x-request-id': latest()?.request_id },
      response_body: { text: expect.stringContaining('"title":"Café"'), truncated: false },
    })
    const shown = (id?: string) => ask(server, 'GET', `/_app/requests/${id}`)
    expect((await shown(latest()?.request_id)).json.data).toEqual(latest())
    expect((await shown('9')).status).toBe(404)
    expect((await shown('req_other')).status).toBe(404)
  })

  it('are those over a socket, also of a body that nothing read', async () => {
    const { server, path, latest } = start()
    const { url } = await server.listen({ port: 0 })
    const headers = { 'content-type': 'application/json', 'X-Trace': '7' }
    const body = '{"title":"Renamed"}'
    const patch = (authorization: string) =>
      fetch(`${url}/api/v1${path}`, { method: 'PATCH', headers: { ...headers, authorization }, body })
    for (const authorization of ['Bearer svc_wrong', `Bearer ${server.writeKey}`]) {
      await (await patch(authorization)).text()
      await expect.poll(() => latest()?.request_body).toEqual({ text: body, bytes: 19, truncated: false })
      expect(latest()?.request_headers).toMatchObject({ 'x-trace': '7' })
    }
    server.app.faults.add({ status: 503, times: 1 })
    await (await patch('Bearer svc_wrong')).text()
    await expect.poll(() => latest()?.request_body?.text).toBe(body)
  })

  it('are those of a body in process that nothing read, of which only the start is read', async () => {
    const { server, call, path, latest } = start()
    const body = '{"title":"Renamed"}'
    const kept = { text: body, bytes: 19, truncated: false }
    await call('PATCH', path, body, { authorization: 'Bearer svc_wrong' })
    expect(latest()).toMatchObject({ status: 401, request_body: kept })
    server.app.faults.add({ status: 503, times: 1 })
    await call('PATCH', path, body)
    expect(latest()).toMatchObject({ status: 503, request_body: kept })
    let chunks = 0
    let isCancelled = false
    const endless = new ReadableStream({
      cancel: () => {
        isCancelled = true
      },
      pull: (controller) => {
        chunks += 1
        controller.enqueue(new Uint8Array(1_000))
      },
    })
    const init = { method: 'PATCH', duplex: 'half' } as const
    await server.fetch(new Request(`http://formwire.test/api/v1${path}`, { ...init, body: endless }))
    expect(latest()).toMatchObject({ status: 401, request_body: { truncated: true } })
    expect(chunks).toBeLessThan(20)
    expect(isCancelled).toBe(true)
    const text = new ReadableStream({ start: (controller) => controller.enqueue('text') })
    for (const body of [new ReadableStream(), text]) {
      await server.fetch(new Request(`http://formwire.test/api/v1${path}`, { ...init, body }))
      expect(latest()).toMatchObject({ status: 401, request_body: { bytes: 0, truncated: true } })
    }
    const locked = new Request(`http://formwire.test/api/v1${path}`, { ...init, body })
    locked.body?.getReader()
    await server.fetch(locked)
    expect(latest()).toMatchObject({ status: 401, request_body: { bytes: 0, truncated: true } })
  })

  it('are cut, not missing, for a body over a socket that a fault reset or that is too large', async () => {
    const { server, path, latest } = start()
    const { url } = await server.listen({ port: 0 })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.writeKey}` }
    const init = { method: 'PATCH', headers, duplex: 'half' } as const
    server.app.faults.add({ reset: true, times: 1 })
    await fetch(`${url}/api/v1${path}`, { ...init, body: '{}' }).catch(() => undefined)
    expect(latest()?.request_body).toMatchObject({ truncated: true })
    const chunks = [`{"title":"${'a'.repeat(70_000)}`, 'b'.repeat(2_000_000), '"}']
    const body = new Blob(chunks).stream()
    expect((await fetch(`${url}/api/v1${path}`, { ...init, body })).status).toBe(400)
    expect(latest()?.request_body?.truncated).toBe(true)
    expect(latest()?.request_body?.text.startsWith('{"title":"aaa')).toBe(true)
  })

  it('are cut in process where the body broke off', async () => {
    const { server, path, latest } = start({ report: () => undefined })
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('{"ti')),
      pull: (controller) => controller.error(new Error('broken')),
    })
    const headers = { authorization: `Bearer ${server.writeKey}`, 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body, duplex: 'half' } as const
    await server.fetch(new Request(`http://formwire.test/api/v1${path}`, init))
    expect(latest()?.request_body).toEqual({ text: '{"ti', bytes: 4, truncated: true })
  })

  it('are cut where the connection closed, never within a character or a password', async () => {
    const { server, path, latest } = start()
    const { url } = await server.listen({ port: 0 })
    const head = [
      `PATCH /api/v1${path} HTTP/1.1`,
      'Host: formwire.test',
      `Authorization: Bearer ${server.writeKey}`,
      'Content-Type: application/json',
      'Content-Length: 50',
    ].join('\r\n')
    const rows = [
      ['{"title":"é', '{"title":"'],
      ['"https://ann:pw1', '"https://…'],
    ]
    for (const [index, [sent = '', kept]] of rows.entries()) {
      const bytes = Buffer.from(`${head}\r\n\r\n${sent}`)
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write(index === 0 ? bytes.subarray(0, -1) : bytes, () => socket.destroy())
      await expect.poll(() => server.app.requests.list().length).toBe(index + 1)
      expect(latest()?.request_body).toMatchObject({ text: kept, truncated: true })
    }
  })

  // journal-entries.test.ts has how each is hidden.
  it('[AUTH-02] have no key, no secret and no password of a URL', async () => {
    const { server, call, path, latest } = start()
    const { readKey, writeKey, adminToken } = server
    const url = `http://127.0.0.1:9/${readKey}`
    await call('POST', `${path}/webhooks`, `{"url":"${url}","tags":"https://ann:pw1@h/"}`, {
      cookie: `token=${adminToken}`,
      'user-agent': `agent ${SECRET}`,
      'x-api-key': writeKey,
      'x-session-token': 'abc',
      'x-credential': 'abc',
      'x-note': `${readKey} whsec_a+b/c=-d`,
      'x-url': 'https://ann:pw1@h/p?a=b',
      'x-mail': 'ann@h.example',
    })
    const prefix = writeKey.slice(0, 10)
    const hidden = `${readKey.slice(0, 10)}…`
    expect(latest()).toMatchObject({
      status: 201,
      user_agent: 'agent whsec_…',
      request_headers: {
        authorization: `Bearer ${prefix}…`,
        cookie: '…',
        'x-api-key': `${prefix}…`,
        'x-session-token': '…',
        'x-credential': '…',
        'x-note': `${hidden} whsec_…`,
        'x-url': 'https://…@h/p?a=b',
        'x-mail': 'ann@h.example',
      },
      request_body: { text: `{"url":"http://127.0.0.1:9/${hidden}","tags":"https://…@h/"}` },
      response_body: { text: expect.stringContaining('"secret":"whsec_…"') },
    })
    const text = JSON.stringify(latest())
    for (const one of [writeKey, readKey, SECRET, adminToken, 'abc"', 'b/c', 'pw1'])
      expect(text).not.toContain(one)
    await call('GET', `${path}/responses?per_page=${SECRET}`)
    expect(latest()?.error?.message).toContain('"whsec_…"')
    await call('PATCH', path, `${' '.repeat(16_384 - 15)}https://ann:pw1@h/`)
    expect(latest()?.request_body?.text.trim()).toBe('https://…')
  })

  it('are cut after 16,384 bytes, and never within a character', async () => {
    const { call, path, latest } = start()
    await call('PATCH', path, JSON.stringify({ title: `a${'é'.repeat(10_000)}` }))
    expect(latest()?.request_body).toEqual({
      text: `{"title":"a${'é'.repeat(8_186)}`,
      bytes: 20_013,
      truncated: true,
    })
    await call('PATCH', path, JSON.stringify({ title: 'b'.repeat(16_372) }))
    expect(latest()?.request_body).toMatchObject({ bytes: 16_384, truncated: false })
  })

  it('are cut for a list, and whole for a short one', async () => {
    const { server, call, formId, path, latest } = start()
    const add = (value: string) => server.app.responses.create(formId, { answers: [], meta: { value } })
    add('x')
    const whole = (await call('GET', `${path}/responses`)).text
    expect(latest()?.response_body).toEqual({
      text: whole,
      bytes: Buffer.byteLength(whole),
      truncated: false,
    })
    for (let at = 0; at < 30; at += 1) add('é'.repeat(1_000))
    const long = (await call('GET', `${path}/responses?per_page=100`)).text
    expect(latest()?.response_body?.bytes).toBe(Buffer.byteLength(long))
    expect(latest()?.response_body?.truncated).toBe(true)
    expect(long.startsWith(latest()?.response_body?.text ?? 'nothing')).toBe(true)
    await call('HEAD', `${path}/responses`)
    expect(latest()?.response_body).toBeNull()
  })

  it('are kept for the latest 200 requests', async () => {
    const { server, call } = start()
    for (let at = 0; at < 201; at += 1) await call('GET', '/me')
    expect(server.app.requests.get('1')).toMatchObject({
      status: 200,
      request_headers: null,
      request_body: null,
      response_headers: null,
      response_body: null,
    })
    expect(server.app.requests.get('2')?.response_body?.text).toContain('"data"')
  })
})

describe('a fault in the journal', () => {
  it('is at each request that it was applied to, also once it is used up', async () => {
    const { server, call, latest } = start()
    const { id } = server.app.faults.add({ status: 503, delay_ms: 20, times: 1 })
    await call('GET', '/me')
    expect(latest()).toMatchObject({ status: 503, fault: { id, status: 503, delay_ms: 20, times: 1 } })
    expect(latest()?.duration_ms).toBeGreaterThanOrEqual(19)
    expect(server.app.faults.list()).toEqual([])
    await call('GET', '/me')
    expect(latest()).toMatchObject({ status: 200, fault: null })
  })
})
