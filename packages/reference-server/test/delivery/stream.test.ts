import { describe, expect, it } from 'vitest'
import { createWorld, type Json, type World } from './world.ts'

interface Event {
  id: string
  type: string
  data: Json
}

/** Opens a stream in process. `take` reads so many events. */
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
  const take = async (count: number): Promise<Event[]> => {
    const events: Event[] = []
    while (events.length < count) {
      const found = /(?:^|\n\n)id: (.*)\nevent: (.*)\ndata: (.*)(?=\n\n)/.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        events.push({ id: found[1]!, type: found[2]!, data: JSON.parse(found[3]!) })
      } else text += (await reader.read()).value ?? expect.fail('The stream has ended.')
    }
    return events
  }
  return { response, take, close: () => abort.abort() }
}

describe('the stream of deliveries', () => {
  it('[DLV-07] sends each change of the deliveries it is asked for, and what a client missed that reconnects', async () => {
    const world = await createWorld()
    await world.receive()
    const { id } = await world.receive({ script: ['500'] })
    const query = `?form_id=${world.formId}&webhook_id=${id}`
    const stream = await openStream(world, query)
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    world.submit()
    await world.server.clock.advance('1m')
    const events = await stream.take(3)
    stream.close()
    expect(events.map(({ type, data }) => [type, data.status, data.attempts])).toEqual([
      ['delivery', 'pending', 0],
      ['delivery', 'pending', 1],
      ['delivery', 'delivered', 2],
    ])
    const log = await world.control('GET', `/_app/forms/${world.formId}/webhooks/${id}/deliveries`)
    expect([events[2]?.data]).toEqual(log.body.data)

    const again = await openStream(world, query, events[0]?.id)
    expect(await again.take(2)).toEqual(events.slice(1))
    await world.control('POST', '/_app/reset')
    expect(await again.take(1)).toMatchObject([{ type: 'reset', data: {} }])
  })

  it('[DLV-11] refuses the 257th client with 429 until another disconnects', async () => {
    const world = await createWorld()
    const streams = []
    for (let count = 0; count < 256; count += 1) streams.push(await openStream(world))
    expect(streams.every(({ response }) => response.status === 200)).toBe(true)
    const refused = await world.control('GET', '/_app/deliveries/stream')
    expect([refused.status, refused.body.error]).toEqual([
      429,
      {
        code: 'rate_limited',
        message: 'The delivery stream has too many clients; close one or wait 60 seconds.',
      },
    ])
    streams[0]?.close()
    expect((await openStream(world)).response.status).toBe(200)
  })
})
