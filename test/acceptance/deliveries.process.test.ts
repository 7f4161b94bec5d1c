import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Json, ServerProcess } from './support.ts'

interface Seen {
  headers: IncomingMessage['headers']
  body: string
}

/** An independent receiver, so that the server is not tested with its own mock receiver. */
class Receiver {
  seen: Seen[] = []
  handlers: ((request: IncomingMessage, response: ServerResponse) => void)[] = []
  server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      this.seen.push({ headers: request.headers, body })
      const handler = this.handlers.shift()
      if (handler) handler(request, response)
      else response.writeHead(204).end()
    })
  })

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

const status =
  (code: number, body = '', headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(code, headers).end(body)

let server: ServerProcess
let receiver: Receiver
let form: Json
let hook: Json

beforeAll(async () => {
  server = await ServerProcess.start(
    '--seed', 'empty', '--clock', 'manual', '--rate-limits', 'off', '--delivery-timeout-ms', '3000',
  ) // biome-ignore format: flags read as a command line
})
afterAll(() => server.stop())
beforeEach(async () => {
  receiver = await new Receiver().listen()
  form = await server.publishedForm([{ id: 'q1', type: 'rating', title: 'How was it?' }])
  hook = (await server.api('POST', `/forms/${form.id}/webhooks`, { url: receiver.url })).body.data
})
afterEach(() => receiver.close())

const submit = async () =>
  (await server.respondent('POST', `/f/${form.slug}`, { answers: [{ question_id: 'q1', value: 4 }] })).body
    .data.id as number
const advance = (by: string | number) => server.app('POST', '/clock/advance', { by })
const log = async () =>
  (await server.app('GET', `/forms/${form.id}/webhooks/${hook.id}/deliveries`)).body.data as Json[]
const now = async () => Date.parse((await server.app('GET', '/clock')).body.data.now)

describe('endpoints', () => {
  it('[HOOK-01] [HOOK-02] [HOOK-03] shows the secret once', async () => {
    expect(hook).toEqual({
      id: expect.any(Number),
      url: receiver.url,
      active: true,
      created_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_/),
    })
    const list = await server.api('GET', `/forms/${form.id}/webhooks`)
    expect(list.text).not.toContain('whsec_')
    expect(list.body.data[0]).toEqual({
      id: hook.id,
      url: hook.url,
      active: true,
      created_at: hook.created_at,
    })
    expect(list.body.meta).toEqual({ page: 1, per_page: 25, total: 1 })
    const gone = await server.api('DELETE', `/forms/${form.id}/webhooks/${hook.id}`)
    expect([gone.status, gone.body]).toEqual([200, { data: { id: hook.id, deleted: true } }])
    expect((await server.api('DELETE', `/forms/${form.id}/webhooks/${hook.id}`)).status).toBe(404)
  })

  it('[HOOK-04] rejects addresses in every notation with field url', async () => {
    const production = await ServerProcess.start('--seed', 'empty', '--address-rules', 'production')
    try {
      const own = await production.publishedForm([])
      const bad = [
        'http://example.com/', 'ftp://example.com', 'https://127.0.0.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/',
        'https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/', 'https://10.0.0.1', 'https://100.64.0.1', 'https://169.254.169.254',
        'https://192.168.0.1', 'https://172.16.0.1', 'https://0.0.0.0', 'https://224.0.0.1', 'https://255.255.255.255', 'https://[fe80::1]', 'https://[fc00::1]',
        'https://[64:ff9b::808:808]', 'https://[2002:808:808::1]', 'https://[2001::1]', 'https://192.0.2.1', 'https://198.18.0.1', 'https://168.63.129.16',
        'https://localhost/', 'https://localhost./', 'https://8.8.8.8:22/', 'https://user:pw@8.8.8.8/', 'https://user@8.8.8.8/', 'nonsense', '',
        `https://8.8.8.8/${'x'.repeat(500)}`,
      ] // biome-ignore format: a table
      for (const url of bad) {
        const response = await production.api('POST', `/forms/${own.id}/webhooks`, { url })
        expect([url, response.status, response.body.error.details?.field]).toEqual([url, 422, 'url'])
      }
      expect((await production.api('POST', `/forms/${own.id}/webhooks`, {})).body.error.details.field).toBe(
        'url',
      )
      for (const url of [
        'https://8.8.8.8/',
        'https://8.8.8.8:8443/x?y=z',
        'https://[2606:4700::1111]:8080/',
      ]) {
        const response = await production.api('POST', `/forms/${own.id}/webhooks`, { url })
        expect([url, response.status]).toEqual([url, 201])
        await production.api('DELETE', `/forms/${own.id}/webhooks/${response.body.data.id}`)
      }
    } finally {
      await production.stop()
    }
  })

  it('[HOOK-06] accepts ten endpoints and rejects the eleventh', async () => {
    for (let i = 1; i < 10; i += 1) {
      expect(
        (await server.api('POST', `/forms/${form.id}/webhooks`, { url: `${receiver.url}/${i}` })).status,
      ).toBe(201)
    }
    expect((await server.api('POST', `/forms/${form.id}/webhooks`, { url: receiver.url })).status).toBe(422)
  })
})

describe('deliveries', () => {
  it('[DLV-01] [DLV-03] [DLV-04] sends a signed delivery immediately', async () => {
    const id = await submit()
    await advance(0)
    expect(receiver.seen).toHaveLength(1)
    const [seen] = receiver.seen as [Seen]
    const timestamp = String(seen.headers['x-service-timestamp'])
    expect(timestamp).toBe(String(Math.floor((await now()) / 1000)))
    expect(seen.headers['x-service-event']).toBe('response.submitted')
    expect(seen.headers['content-type']).toMatch(/^application\/json/)
    expect(seen.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', hook.secret).update(`${timestamp}.${seen.body}`).digest('hex')}`,
    )
    const answer = { question_id: 'q1', title: 'How was it?', type: 'rating', value: 4, text: '4' }
    expect(JSON.parse(seen.body)).toEqual({
      event: 'response.submitted',
      form: { id: form.id, title: 'Acceptance' },
      response: {
        id,
        submitted_at: expect.any(String),
        answers: [answer],
        score: null,
        max_score: null,
        meta: expect.any(Object),
      },
    })
    expect(await log()).toEqual([
      {
        id: seen.headers['x-service-delivery'],
        event: 'response.submitted',
        status: 'delivered',
        response_id: id,
        payload: JSON.parse(seen.body),
        http_status: 204,
        error: null,
        earlier_errors: [],
        duration_ms: expect.any(Number),
        receiver_answer: '',
        attempts: 1,
        next_attempt_at: null,
        note: null,
        created_at: expect.any(String),
        form_id: form.id,
        webhook_id: hook.id,
      },
    ])
  })

  it('[DLV-05] [DLV-06] makes six scheduled attempts with the same id and bytes and a new timestamp and signature', async () => {
    receiver.handlers = [
      status(500, 'é'.repeat(400)),
      status(302, '', { location: '/elsewhere' }),
      (request) => request.socket.destroy(),
      () => {},
      status(404),
      status(500),
    ]
    const start = await now()
    await submit()
    await advance(0)
    const [delivery] = (await log()) as [Json]
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: 1,
      http_status: 500,
      receiver_answer: 'é'.repeat(300),
    })
    expect(Date.parse(delivery.next_attempt_at)).toBe(start + 60_000)
    await advance('14h36m')
    expect(receiver.seen).toHaveLength(6)
    const times = receiver.seen.map(
      (seen) => Number(seen.headers['x-service-timestamp']) - Math.floor(start / 1000),
    )
    expect(times).toEqual([0, 60, 360, 2160, 9360, 52_560])
    expect(new Set(receiver.seen.map((seen) => seen.headers['x-service-delivery'])).size).toBe(1)
    expect(new Set(receiver.seen.map((seen) => seen.body)).size).toBe(1)
    expect(new Set(receiver.seen.map((seen) => seen.headers['x-service-signature'])).size).toBe(6)
    const [ended] = (await log()) as [Json]
    expect(ended).toMatchObject({ status: 'failed', attempts: 6, http_status: 500, next_attempt_at: null })
    const detail = (await server.app('GET', `/deliveries/${ended.id}`)).body.data
    expect(
      detail.attempts.map((attempt: Json) => [attempt.number, attempt.http_status, attempt.error]),
    ).toEqual([
      [1, 500, 'http_500'],
      [2, 302, 'http_302'],
      [3, null, 'reset'],
      [4, null, 'timeout'],
      [5, 404, 'http_404'],
      [6, 500, 'http_500'],
    ])
    await advance('24h')
    expect(receiver.seen).toHaveLength(6)
    const replay = await server.app('POST', `/deliveries/${ended.id}/replay`)
    expect(replay.status).toBeLessThan(300)
    await advance(0)
    expect(receiver.seen).toHaveLength(7)
    const entries = await log()
    expect(entries.map((each) => each.status)).toEqual(['delivered', 'failed'])
    expect(entries[0].id).not.toBe(ended.id)
  })

  it('[HOOK-07] pauses and resumes', async () => {
    receiver.handlers = [status(500)]
    await submit()
    await advance(0)
    await server.app('POST', `/forms/${form.id}/webhooks/${hook.id}/pause`)
    const [failed] = (await log()) as [Json]
    expect(failed.status).toBe('failed')
    expect(failed.note).toMatch(/paused/i)
    expect(failed.note).toMatch(/resume/i)
    expect(failed.note).toMatch(/replay/i)
    await submit()
    expect((await server.app('POST', `/forms/${form.id}/webhooks/${hook.id}/test`)).status).toBe(422)
    expect((await server.app('POST', `/deliveries/${failed.id}/replay`)).status).toBe(422)
    await server.app('POST', `/forms/${form.id}/webhooks/${hook.id}/resume`)
    await advance('24h')
    expect(receiver.seen).toHaveLength(1)
    await submit()
    await advance(0)
    expect(receiver.seen).toHaveLength(2)
  })

  it('[DLV-02] [HOOK-08] sends a test event signed with the new secret immediately', async () => {
    const rotated = (await server.app('POST', `/forms/${form.id}/webhooks/${hook.id}/rotate-secret`)).body
      .data
    expect(rotated).toEqual({ id: hook.id, secret: expect.stringMatching(/^whsec_/) })
    expect(rotated.secret).not.toBe(hook.secret)
    expect((await server.app('POST', `/forms/${form.id}/webhooks/${hook.id}/test`)).status).toBeLessThan(300)
    await advance(0)
    const [seen] = receiver.seen as [Seen]
    const body = JSON.parse(seen.body)
    expect([body.event, body.response.id, body.response.answers.length]).toEqual(['test.ping', 0, 1])
    const timestamp = String(seen.headers['x-service-timestamp'])
    expect(seen.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', rotated.secret).update(`${timestamp}.${seen.body}`).digest('hex')}`,
    )
  })

  it('[DLV-06] cancels pending deliveries and blanks their payload when the response is deleted', async () => {
    receiver.handlers = [status(500)]
    const id = await submit()
    await advance(0)
    await server.api('DELETE', `/forms/${form.id}/responses/${id}`)
    await advance('24h')
    expect(receiver.seen).toHaveLength(1)
    const [delivery] = (await log()) as [Json]
    expect(delivery.status).toBe('failed')
    expect(JSON.stringify(delivery.payload)).not.toContain('How was it?')
  })

  it('[DLV-07] [DLV-09] lists the latest 50 for 30 days', async () => {
    for (let i = 0; i < 52; i += 1) await submit()
    await advance(0)
    expect(receiver.seen).toHaveLength(52)
    const entries = await log()
    expect(entries).toHaveLength(50)
    expect(entries[0].response_id).toBeGreaterThan(entries[49].response_id)
    await advance('719h')
    expect(await log()).toHaveLength(50)
    await advance('2h')
    expect(await log()).toHaveLength(0)
  })

  it('streams one event per change and resumes', async () => {
    const abort = new AbortController()
    const open = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${server.first.url}/_app/deliveries/stream?form_id=${form.id}`, {
        headers: { authorization: `Bearer ${server.first.admin_token}`, ...headers },
        signal: abort.signal,
      })
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      let text = ''
      return async (events: number) => {
        const blocks = () => text.split('\n\n').filter((block) => block.includes('data:'))
        while (blocks().length < events) {
          const { done, value } = await reader.read()
          if (done) break
          text += new TextDecoder().decode(value)
        }
        return blocks().map((block) => ({
          id: /^id: ?(.*)$/m.exec(block)?.[1] ?? '',
          event: /^event: ?(.*)$/m.exec(block)?.[1],
          data: JSON.parse(/^data: ?(.*)$/m.exec(block)?.[1] ?? 'null'),
        }))
      }
    }
    const read = await open()
    await submit()
    await advance(0)
    const events = await read(2)
    expect(events[0]?.event).toBe('delivery')
    expect(events[0]?.data.status).toBe('pending')
    expect(events.at(-1)?.data.response_id).toBe(events[0]?.data.response_id)
    const resumed = await open({ 'last-event-id': events[0]?.id ?? '' })
    const [next] = await resumed(1)
    expect(next).toEqual(events[1])
    abort.abort()
  })

  it('rejects an invalid span', async () => {
    for (const by of [-1, '-1m', 'soon', '', null, {}]) {
      expect([by, (await server.app('POST', '/clock/advance', { by })).status]).toEqual([by, 422])
    }
  })
})

describe('routes', () => {
  it('[HOOK-05] routes a public host to a local receiver, keeping Host and the address rules', async () => {
    const target = new URL(receiver.url).origin
    const routed = await ServerProcess.start(
      '--seed', 'empty', '--clock', 'manual', '--address-rules', 'production', '--route', `https://hooks.example.com=${target}`,
    ) // biome-ignore format: flags read as a command line
    try {
      const own = await routed.publishedForm([])
      const created = await routed.api('POST', `/forms/${own.id}/webhooks`, {
        url: 'https://hooks.example.com:8443/hook',
      })
      expect([created.status, created.text]).toEqual([201, created.text])
      await routed.respondent('POST', `/f/${own.slug}`, { answers: [] })
      await routed.app('POST', '/clock/advance', { by: 0 })
      expect(receiver.seen).toHaveLength(1)
      expect(receiver.seen[0]?.headers.host).toBe('hooks.example.com:8443')
    } finally {
      await routed.stop()
    }
  })
})
