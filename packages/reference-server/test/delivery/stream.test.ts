import { describe, expect, it } from 'vitest'
import { createWorld, type Json, type World } from './world.ts'

interface Event {
  id?: string
  type: string
  data: Json
}

/** Opens a stream over `fetch`, in process, and reads its events one by one. */
async function openStream({ server }: World, query = '', lastEventId?: string) {
  const abort = new AbortController()
  const response = await server.fetch(`http://127.0.0.1/_app/deliveries/stream${query}`, {
    headers: {
      authorization: `Bearer ${server.adminToken}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const nextBlock = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        if (!block.startsWith('retry:') && !block.startsWith(':')) return block
        continue
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  const next = async (): Promise<Event | undefined> => {
    const block = await nextBlock()
    if (block === undefined) return undefined
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    return { id: field('id')!, type: field('event')!, data: JSON.parse(field('data')!) }
  }
  const take = async (count: number): Promise<Event[]> => {
    const events: Event[] = []
    while (events.length < count) events.push((await next())!)
    return events
  }
  return { response, next, take, close: () => abort.abort() }
}

describe('the stream of deliveries', () => {
  it('[DLV-07] sends the delivery on every change, including its creation', async () => {
    const world = await createWorld()
    const { id } = await world.receive({ script: ['500'] })
    const stream = await openStream(world)
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    world.submit()
    await world.server.clock.advance('1m')
    const events = await stream.take(3)
    expect(events.map(({ type, data }) => [type, data.status, data.attempts])).toEqual([
      ['delivery', 'pending', 0],
      ['delivery', 'pending', 1],
      ['delivery', 'delivered', 2],
    ])
    const [entry] = (await world.control('GET', `/_app/forms/${world.formId}/webhooks/${id}/deliveries`)).body
      .data
    expect(events[2]?.data).toEqual(entry)
  })

  it('[DLV-07] resumes after Last-Event-ID without gaps or duplicates', async () => {
    const world = await createWorld()
    await world.receive()
    const first = await openStream(world)
    const ids = [world.submit(), world.submit(), world.submit()]
    await world.server.clock.advance(0)
    const seen = await first.take(2)
    first.close()
    const second = await openStream(world, '', seen[1]?.id)
    const rest = await second.take(4)
    const all = [...seen, ...rest].map(({ data }) => `${data.response_id} ${data.status}`)
    expect(all.sort()).toEqual(ids.flatMap((id) => [`${id} delivered`, `${id} pending`]).sort())
  })

  it('[DLV-07] sends reset after a reset, also to clients that reconnect', async () => {
    const world = await createWorld()
    await world.receive()
    const live = await openStream(world)
    world.submit()
    const [seen] = await live.take(1)
    await world.control('POST', '/_app/reset')
    let event = await live.next()
    while (event?.type === 'delivery') event = await live.next()
    expect([event?.type, event?.data]).toEqual(['reset', {}])
    const back = await openStream(world, '', seen?.id)
    expect((await back.next())?.type).toBe('reset')
  })

  it('[DLV-07] filters by form or endpoint', async () => {
    const world = await createWorld()
    const one = await world.receive()
    const two = await world.receive()
    const ofTwo = await openStream(world, `?form_id=${world.formId}&webhook_id=${two.id}`)
    const ofNone = await openStream(world, '?form_id=nothing')
    world.submit()
    await world.server.clock.advance(0)
    const events = await ofTwo.take(2)
    expect(events.map(({ data }) => data.webhook_id)).toEqual([two.id, two.id])
    expect(one.id).not.toBe(two.id)
    await world.server.close()
    expect(await ofNone.next()).toBeUndefined()
  })

  it('[ERR-03] refuses an invalid webhook_id', async () => {
    const { control } = await createWorld()
    const { status, body } = await control('GET', '/_app/deliveries/stream?webhook_id=x')
    expect([status, body.error.details]).toEqual([422, { field: 'webhook_id' }])
  })

  it('[DLV-07] requires the admin token', async () => {
    const { server } = await createWorld()
    const response = await server.fetch('http://127.0.0.1/_app/deliveries/stream', {
      headers: { authorization: `Bearer ${server.writeKey}` },
    })
    expect(response.status).toBe(401)
  })

  it('[DLV-11] refuses the 257th client with 429 until another disconnects', async () => {
    const world = await createWorld()
    const streams = []
    for (let count = 0; count < 256; count += 1) {
      const stream = await openStream(world)
      expect(stream.response.status).toBe(200)
      streams.push(stream)
    }
    const refused = await world.control('GET', '/_app/deliveries/stream')
    expect([refused.status, refused.body.error]).toEqual([
      429,
      {
        code: 'rate_limited',
        message: 'The delivery stream has too many clients; close one or wait 60 seconds.',
      },
    ])
    streams[0]?.close()
    const admitted = await openStream(world)
    expect(admitted.response.status).toBe(200)
  })
})
