import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { MockReceiver } from '../../src/receiver/index.ts'
import { FORM, SEED } from '../conformance/seed.ts'
import { createWorld, listen, type World } from '../delivery/world.ts'
import { ask, type Json, openServer } from '../support/server.ts'

/** With a sigma at its end, which is written in another way there. */
const SIGMA = '\u03bb\u03ac\u03b8\u03bf\u03c2'

let world: World
/** Ids of the deliveries, by what becomes of them. */
let ids: Record<'failed' | 'retrying' | 'delivered' | 'waiting', string>
let other: string
let good: MockReceiver
let hooks: Record<'failing' | 'good', number>

const search = async (query: string): Promise<Json> => {
  const { status, body } = await world.control('GET', `/_app/deliveries${query}`)
  expect([query, status]).toEqual([query, 200])
  return body
}
const names = (page: Json): string[] =>
  page.data.map(({ id }: { id: string }) => Object.entries(ids).find(([, known]) => known === id)?.[0])

/** Two forms and three endpoints, and a delivery in each state: failed, retrying, delivered, not attempted. */
async function setUp(): Promise<void> {
  world = await createWorld()
  const { server, formId, hook } = world
  const refused = { status: 503, body: 'Deploy in progress' }
  const failing = await listen({ script: Array(9).fill(refused) })
  good = await listen({ script: ['200', 'timeout'] })
  other = server.app.forms.publish(
    server.app.forms.create({
      title: 'Other',
      questions: [{ id: 'q1', type: 'short_text', title: 'Zebra?' }],
    }).id,
  ).id
  hooks = { failing: (await hook(`${failing.url}Orders`)).id, good: 0 }
  const submit = (form: string, value: string) =>
    server.app.responses.create(form, { answers: [{ question_id: 'q1', value }], deliver: true })
  submit(formId, 'Ada Lovelace')
  await server.clock.advance(0)
  server.app.webhooks.pause(formId, hooks.failing)
  server.app.webhooks.resume(formId, hooks.failing)
  submit(formId, 'Grace "Amazing"\nHopper')
  hooks.good = (await server.app.webhooks.create(other, { url: `${good.url}crm` })).id
  submit(other, 'İÇ ÉTÉ')
  await server.clock.advance(0)
  submit(other, SIGMA)
  const [waiting, delivered, retrying, failed] = (await search('')).data.map((one: Json) => one.id)
  ids = { failed, retrying, delivered, waiting }
}

/** What is found, how many of it there are in any state, retrying and failed, and for which query. */
const FOUND: readonly [
  found: string,
  counts: [all: number, retrying: number, failed: number],
  query: string,
][] = [
  ['waiting delivered retrying failed', [4, 1, 1], ''],
  ['retrying', [4, 1, 1], 'state=retrying'],
  ['failed', [4, 1, 1], 'state=failed'],
  ['delivered', [4, 1, 1], 'state=delivered'],
  ['waiting retrying', [4, 1, 1], 'state=pending'],
  ['retrying failed', [2, 1, 1], 'webhook_id=FAILING'],
  ['waiting delivered', [2, 0, 0], 'form_id=OTHER'],
  ['delivered', [2, 0, 0], 'form_id=OTHER&state=delivered'],
  ['', [0, 0, 0], 'form_id=OTHER&webhook_id=FAILING'],
  ['', [0, 0, 0], 'form_id=nothing'],
  // By id of the delivery, of the form and of the response.
  ['delivered', [1, 0, 0], 'q=DELIVERED'],
  ['waiting delivered', [2, 0, 0], 'q=OTHER'],
  ['failed', [1, 0, 1], 'q=%231'],
  // By URL and outcome: status, error class, response body and note.
  ['retrying failed', [2, 1, 1], 'q=/orders'],
  ['retrying failed', [2, 1, 1], 'q=HTTP_503'],
  ['retrying', [2, 1, 1], 'q=deploy+IN&state=retrying'],
  ['failed', [1, 0, 1], 'q=is+paused'],
  // As the log shows it.
  ['retrying failed', [2, 1, 1], 'q=503+deploy'],
  ['waiting delivered retrying failed', [4, 1, 1], 'q=Response.submitted'],
  ['waiting retrying', [2, 1, 0], 'q=Pending'],
  // By the text of an answer, as it was given.
  ['failed', [1, 0, 1], 'q=ada%20love'],
  ['retrying', [1, 1, 0], 'q=%22AMAZING%22%0A'],
  ['delivered', [1, 0, 0], 'q=%C3%A9t%C3%A9'],
  ['delivered', [1, 0, 0], 'q=%C4%B0%C3%87+'],
  ['waiting', [1, 0, 0], 'q=%CE%9B%CE%86%CE%98%CE%9F%CE%A3'],
  ['waiting failed', [2, 0, 1], 'ids=FAILED,WAITING,nothing'],
  ['waiting', [1, 0, 0], 'ids=FAILED,WAITING&q=pending'],
  // Not by titles of questions, and not by names of JSON.
  ['', [0, 0, 0], 'q=zebra'],
  ['', [0, 0, 0], 'q=question_id'],
  ['', [0, 0, 0], 'q=.*'],
]

describe('GET /_app/deliveries', () => {
  beforeEach(setUp)

  it('lists the deliveries of all endpoints newest first, without their payloads', async () => {
    const { data, meta } = await search('')
    const { body } = await world.control('GET', `/_app/forms/${other}/webhooks/${hooks.good}/deliveries`)
    const { payload, ...latest } = body.data[0]
    expect(payload.response.answers[0].text).toBe(SIGMA)
    expect([data[0], data.length]).toEqual([{ ...latest, is_replay: false, is_replayed: false }, 4])
    expect(meta).toEqual({ next_cursor: null, counts: { all: 4, retrying: 1, failed: 1 } })
  })

  it('finds by each filter and text, and counts what it finds in any state', async () => {
    for (const [found, [all, retrying, failed], query] of FOUND) {
      const filled = query
        .replace('DELIVERED', ids.delivered.toUpperCase())
        .replace('FAILED', ids.failed)
        .replace('WAITING', ids.waiting)
        .replace('OTHER', other)
        .replace('FAILING', String(hooks.failing))
      const page = await search(`?${filled}`)
      expect([query, names(page).join(' '), page.meta]).toEqual([
        query,
        found,
        { next_cursor: null, counts: { all, retrying, failed } },
      ])
    }
  })

  it('[DLV-08] says which deliveries repeat others, in the log of the endpoint as well', async () => {
    const { server, formId, control } = world
    const replayed = server.app.deliveries.replay(ids.failed).id
    const pings = [1, 2].map(() => server.app.webhooks.test(formId, hooks.failing).id)
    // Ends the attempt that is in flight.
    await good.close()
    await server.clock.advance('1d')
    const { data } = await search(`?webhook_id=${hooks.failing}`)
    const repeats = data.map((one: Json) => [one.id, one.is_replay, one.is_replayed])
    expect(repeats).toEqual([
      [pings[1], false, false],
      [pings[0], false, true],
      [replayed, true, false],
      [ids.retrying, false, false],
      [ids.failed, false, true],
    ])
    const { body } = await control('GET', '/_app/catalog?include=endpoints')
    const { log } = body.data.endpoints.find(({ id }: { id: number }) => id === hooks.failing)
    expect(log).toEqual({
      delivered: 4,
      pending: 0,
      retrying: 0,
      failed: 1,
      to_replay: 0,
      last_attempt: { http_status: 200, error: null },
    })
  })

  it('finds a delivery by the outcome of each attempt', async () => {
    const { server, formId, hook } = world
    const flaky = await listen({ script: ['503', '200'] })
    const { id } = server.app.webhooks.test(formId, (await hook(flaky.url)).id)
    // Ends the attempt that is in flight.
    await good.close()
    await server.clock.advance('1h')
    const { data } = await search('?q=http_503&state=delivered')
    expect(data.map((one: Json) => one.id)).toEqual([id])
  })

  it('says of a delivery that others repeat it, also where they are not listed', async () => {
    const { id } = world.server.app.deliveries.replay(ids.delivered)
    const { data } = await search(`?ids=${ids.delivered}`)
    expect(data).toMatchObject([{ is_replay: false, is_replayed: true }])
    expect((await search(`?ids=${id}`)).data).toMatchObject([{ is_replay: true, is_replayed: false }])
  })

  it('[DLV-09] lists a delivery for 30 days after its end', async () => {
    await good.close()
    await world.server.clock.advance('1d')
    expect((await search('')).data).toHaveLength(4)
    await world.server.clock.advance('31d')
    expect((await search('')).data).toEqual([])
  })

  it('does not offer to replay a delivery whose response was deleted', async () => {
    const { server, formId, control } = world
    const toReplay = async () =>
      (await control('GET', '/_app/catalog?include=endpoints')).body.data.endpoints.find(
        ({ id }: { id: number }) => id === hooks.failing,
      ).log.to_replay
    expect(await toReplay()).toBe(1)
    server.app.responses.delete(formId, 2)
    expect((await search('?state=failed')).data).toHaveLength(2)
    expect(await toReplay()).toBe(1)
  })

  it.each([
    { event: 'response.submitted', note: 'ada' },
    { event: 'response.submitted', response: { answers: [null, 'ada'] } },
  ])('finds nothing in the body of a snapshot %j', async (body) => {
    const { control } = world
    const snapshot = (await control('GET', '/_app/snapshot')).body.data
    for (const delivery of snapshot.state.deliveries.deliveries) delivery.body = JSON.stringify(body)
    expect((await control('PUT', '/_app/snapshot', snapshot)).status).toBe(200)
    expect(names(await search('?q=ada'))).toEqual([])
  })

  it('refuses names that no search has in process', () => {
    const { deliveries } = world.server.app
    expect(() => deliveries.search({ form_id: 'x' } as never)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    )
  })

  it('continues after a page, also when deliveries were added or deleted', async () => {
    const first = await search('?limit=2')
    expect(names(first)).toEqual(['waiting', 'delivered'])
    world.server.app.webhooks.test(world.formId, hooks.failing)
    world.server.app.webhooks.delete(other, hooks.good)
    const second = await search(`?limit=1&cursor=${first.meta.next_cursor}`)
    expect(names(second)).toEqual(['retrying'])
    expect(second.meta.counts).toMatchObject({ all: 3 })
    const last = await search(`?limit=1&cursor=${second.meta.next_cursor}`)
    expect([names(last), last.meta.next_cursor]).toEqual([['failed'], null])
    const failed = await search(`?state=failed&limit=1`)
    expect([names(failed), failed.meta.next_cursor]).toEqual([['failed'], null])
  })

  it.each([
    ['state=done', 'state'],
    ['state=', 'state'],
    ['webhook_id=x', 'webhook_id'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=', 'cursor'],
    ['cursor=nothing', 'cursor'],
    ['cursor=dlv_8mP2xQ7rT4vK9sZa8mP2zz', 'cursor'],
    [`q=${'x'.repeat(501)}`, 'q'],
    ['page=2', 'page'],
  ])('refuses %s, naming the field', async (query, field) => {
    const { status, body } = await world.control('GET', `/_app/deliveries?${query}`)
    expect([status, body.error.code, body.error.details]).toEqual([422, 'validation_failed', { field }])
  })
})

describe('GET /_app/forms/{id}/responses', () => {
  it.each([
    ['', [3, 2, 1]],
    ['q=', [3, 2, 1]],
    ['q=ADA', [1]],
    ['q=b', [2]],
    ['q=A%40EXAMPLE', [1]],
    ['q=%233', [3]],
    ['q=cy', []],
    ['q=cy&status=in_progress', [4]],
    ['q=stars', []],
    ['q=how+was', []],
  ])('finds with %s the responses %j', async (query, found) => {
    const server = openServer({ seed: SEED })
    const { json } = await ask(server, 'GET', `/_app/forms/${FORM}/responses?${query}`)
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual(found)
    expect(json.meta).toEqual({ page: 1, per_page: 25, total: found.length })
  })

  it('gives found responses page by page', async () => {
    const server = openServer({ seed: SEED })
    const { json } = await ask(server, 'GET', `/_app/forms/${FORM}/responses?q=%23&page=2&per_page=2`)
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual([1])
    expect(json.meta).toEqual({ page: 2, per_page: 2, total: 3 })
  })

  it('refuses a form that does not exist, and a long text', async () => {
    const server = openServer({ seed: SEED })
    expect((await ask(server, 'GET', '/_app/forms/nothing/responses?q=a')).status).toBe(404)
    const { status, json } = await ask(server, 'GET', `/_app/forms/${FORM}/responses?q=${'x'.repeat(501)}`)
    expect([status, json.error.details]).toEqual([422, { field: 'q' }])
  })
})

describe('JSON of the control API', () => {
  interface Sent {
    readonly encoding: string | undefined
    readonly length: number
    readonly body: Buffer
  }

  it.each([
    ['/_app/deliveries', true],
    [`/_app/forms/${FORM}/responses?q=%23`, true],
    ['/_app/catalog?include=forms,deliveries', true],
    ['/_app/clock', false],
  ])('%s is compressed when the client accepts it, if it is long: %s', async (path, isLong) => {
    const server = openServer({ seed: SEED })
    await server.ready
    const receiver = await listen()
    const hook = await server.app.webhooks.create(FORM, { url: receiver.url })
    for (let sent = 0; sent < 5; sent++) server.app.webhooks.test(FORM, hook.id)
    const { url } = await server.listen({ port: 0 })
    const request = (accept: string) =>
      new Promise<Sent>((resolve, reject) => {
        const headers = { authorization: `Bearer ${server.adminToken}`, 'accept-encoding': accept }
        get(`${url}${path}`, { headers }, async (response) => {
          const body = Buffer.concat(await response.toArray())
          resolve({ encoding: response.headers['content-encoding'], length: body.length, body })
        }).on('error', reject)
      })
    const plain = await request('identity')
    const compressed = await request('br, gzip')
    expect([plain.encoding, compressed.encoding]).toEqual([undefined, isLong ? 'gzip' : undefined])
    if (!isLong) return
    expect(compressed.length).toBeLessThan(plain.length / 2)
    const members = (json: Buffer) => Object.keys(JSON.parse(json.toString()))
    expect(members(gunzipSync(compressed.body))).toEqual(members(plain.body))
  })
})
