import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DeliveryStream } from '../../src/delivery/index.ts'
import type { StreamFilter } from '../../src/delivery/stream.ts'
import { type DeliveryRecord, newDelivery } from '../../src/domain/delivery.ts'
import { nextTurn } from '../../src/real-timers.ts'
import { manualTime } from './manual-time.ts'

const record = (sequence: number, facts: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...newDelivery({
    sequence,
    id: `dlv_${sequence}`,
    endpointId: 1,
    formId: 'form',
    event: 'test.ping',
    responseId: 0,
    createdAt: 0,
    body: Buffer.from('{}'),
  }),
  ...facts,
})

/** What a subscriber receives of the deliveries with these numbers. */
const events = (...numbers: number[]): string =>
  numbers.map((number) => `id: now-${number}\nevent: delivery\ndata: ${number}\n\n`).join('')

const gap = (number: number): string => `id: now-${number}\nevent: gap\ndata: {}\n\n`

const done = { done: true, value: undefined }

/** Waits for what happens without any time. Fails instead of waiting for what does not. */
async function soon<Value>(promise: Promise<Value>): Promise<Value> {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  for (let turns = 0; turns < 20 && !settled; turns += 1) await turn()
  if (!settled) throw new Error('Nothing has happened.')
  return promise
}

/** A stream whose time passes only when the test says so. */
function createStream(write = (delivery: DeliveryRecord) => `${delivery.sequence}`) {
  const time = manualTime()
  const stream = new DeliveryStream({ epoch: 'now', write, time })
  const pass = async (milliseconds: number) => {
    await time.pass(milliseconds)
    await turn()
  }
  const publish = (...sequences: number[]) => {
    for (const sequence of sequences) stream.publish(record(sequence))
  }
  const subscribe = (
    lastEventId?: string,
    filter: StreamFilter = {},
    signal: AbortSignal = new AbortController().signal,
  ) => {
    const iterator = stream.subscribe(filter, lastEventId, signal)[Symbol.asyncIterator]()
    const decode = ({ done, value }: IteratorResult<Uint8Array>): string => {
      expect(done).toBe(false)
      return Buffer.from(value as Uint8Array).toString()
    }
    /** Returns the next chunk, which needs no time to pass. */
    const text = async (): Promise<string> => decode(await soon(iterator.next()))
    /** Reads on, and collects what has come. */
    const listen = (): string[] => {
      const received: string[] = []
      void (async () => {
        for (;;) received.push(decode(await iterator.next()))
      })().catch(() => {})
      return received
    }
    return { iterator, text, listen }
  }
  /** Subscribes as a client does: the headers are sent first. */
  const open = async (...args: Parameters<typeof subscribe>) => {
    const subscription = subscribe(...args)
    expect(await subscription.text()).toBe('retry: 1000\n\n')
    return subscription
  }
  return { stream, pass, publish, subscribe, open }
}

it('[DLV-07] leaves out deliveries of other forms', async () => {
  const { stream, open } = createStream()
  const { text } = await open(undefined, { formId: 'form' })
  stream.publish(record(1, { formId: 'other' }))
  stream.publish(record(2, { formId: 'form' }))
  expect(await text()).toBe(events(2))
})

describe('a stream without events', () => {
  it('[DLV-07] sends a heartbeat every 15 seconds', async () => {
    const { pass, publish, open } = createStream()
    const { listen } = await open()
    const received = listen()
    await pass(14_999)
    expect(received).toEqual([])
    await pass(1)
    expect(received).toEqual([': still here\n\n'])
    await pass(10_000)
    publish(1)
    await turn()
    expect(received.slice(1)).toEqual([events(1)])
    await pass(14_999)
    expect(received).toHaveLength(2)
    await pass(1)
    expect(received.slice(2)).toEqual([': still here\n\n'])
  })
})

describe('the chunks of a stream', () => {
  it('[DLV-11] hold the events of 100 milliseconds, and the first one at once', async () => {
    const { pass, publish, open } = createStream()
    const { listen } = await open()
    const received = listen()
    publish(1)
    await turn()
    expect(received).toEqual([events(1)])
    publish(2)
    await turn()
    await pass(50)
    publish(3)
    await turn()
    await pass(49)
    expect(received).toEqual([events(1)])
    await pass(1)
    expect(received).toEqual([events(1), events(2, 3)])
    await pass(100)
    publish(4)
    await turn()
    expect(received).toEqual([events(1), events(2, 3), events(4)])
  })

  it('[DLV-11] have at most 64 kB of waiting events, and one more', async () => {
    const { pass, publish, open } = createStream(() => 'x'.repeat(30_000))
    const { text, listen } = await open()
    publish(1, 2, 3, 4, 5, 6, 7, 8)
    const sizes = [(await text()).length, (await text()).length]
    const received = listen()
    await pass(100)
    expect([...sizes, ...received.map((chunk) => chunk.length)]).toEqual([90_102, 90_102, 60_068])
  })

  it('[DLV-07] have each event once and in order, however they arrive', async () => {
    const stream = new DeliveryStream({ epoch: 'now', write: ({ sequence }) => `${sequence}` })
    const iterator = stream.subscribe({}, undefined, new AbortController().signal)[Symbol.asyncIterator]()
    await iterator.next()
    const publishing = (async () => {
      for (let sequence = 1; sequence <= 200; sequence += 1) {
        stream.publish(record(sequence))
        if (sequence % 3 === 0) await nextTurn()
      }
    })()
    let received = ''
    while (!received.includes('data: 200\n'))
      received += Buffer.from((await iterator.next()).value as Uint8Array).toString()
    await publishing
    expect(received.match(/(?<=data: )\d+/g)).toEqual(
      Array.from({ length: 200 }, (_, index) => `${index + 1}`),
    )
    stream.close()
  })

  it('[DLV-11] are encoded once for all subscribers', async () => {
    let written = 0
    const { publish, open } = createStream(() => `${++written}`)
    const subscribers = await Promise.all(Array.from({ length: 250 }, () => open()))
    publish(...Array.from({ length: 20 }, (_, index) => index + 1))
    expect(written).toBe(0)
    const chunks = await Promise.all(subscribers.map(({ text }) => text()))
    expect(chunks[249]?.match(/^data: .+$/gm)).toHaveLength(20)
    expect(new Set(chunks).size).toBe(1)
    expect(written).toBe(20)
  })
})

describe('the events that a stream keeps', () => {
  it('[DLV-11] are the latest 1,000; a subscriber that does not read gets a gap', async () => {
    const { publish, open } = createStream()
    const { text } = await open()
    publish(...Array.from({ length: 1_000 }, (_, index) => index + 1))
    const other = await open('now-0')
    expect((await other.text()).startsWith(events(1, 2))).toBe(true)
    publish(...Array.from({ length: 4_000 }, (_, index) => index + 1_001))
    expect((await text()).startsWith(gap(4_000) + events(4_001, 4_002))).toBe(true)
  })

  it('[DLV-11] are fewer when their bodies are large, and those of blanked deliveries have none', async () => {
    const { stream, open } = createStream()
    const body = new Uint8Array(1_048_576)
    for (let sequence = 1; sequence <= 100; sequence += 1) stream.publish(record(sequence, { body }))
    stream.publish(record(101, { body: null }))
    const first = await open('now-0')
    expect((await first.text()).startsWith(gap(36) + events(37, 38))).toBe(true)
    stream.publish(record(102))
    const second = await open('now-0')
    expect((await second.text()).startsWith(gap(37) + events(38, 39))).toBe(true)
  })

  it('[DLV-11] are none after a delivery that is larger than all that is kept', async () => {
    const { stream, publish, open } = createStream()
    publish(1)
    stream.publish(record(2, { body: { byteLength: 67_108_865 } as Uint8Array }))
    const { text } = await open('now-0')
    expect(await text()).toBe(gap(2))
  })

  it('[DLV-07] are dropped by a reset, which also clients that reconnect receive', async () => {
    const { stream, publish, open } = createStream()
    publish(1, 2)
    stream.reset()
    publish(4)
    const reset = 'id: now-3\nevent: reset\ndata: {}\n\n'
    for (const lastEventId of ['now-1', 'now-2', 'another-1']) {
      const { text } = await open(lastEventId)
      expect(await text()).toBe(reset + events(4))
    }
    const body = new Uint8Array(1_048_576)
    for (let sequence = 5; sequence <= 64; sequence += 1) stream.publish(record(sequence, { body }))
    stream.reset()
    for (let sequence = 66; sequence <= 128; sequence += 1) stream.publish(record(sequence, { body }))
    const { text } = await open('now-64')
    expect((await text()).startsWith(`id: now-65\nevent: reset\ndata: {}\n\n${events(66, 67)}`)).toBe(true)
  })
})

describe('a client that reconnects', () => {
  it.each([
    ['now-0', 2, events(1, 2)],
    ['now-1', 2, events(2)],
    ['now-3', 2, gap(0) + events(1, 2)],
    ['now-1x', 2, gap(0) + events(1, 2)],
    ['-1', 2, gap(0) + events(1, 2)],
    ['then-1', 2, gap(0) + events(1, 2)],
    ['nonsense', 2, gap(0) + events(1, 2)],
    ['now-12', 14, events(13, 14)],
    ['another-server-3', 0, gap(0)],
  ])('[DLV-07] after %s of %i events receives what it missed', async (lastEventId, count, received) => {
    const { publish, open } = createStream()
    publish(...Array.from({ length: count }, (_, index) => index + 1))
    const { text } = await open(lastEventId)
    expect(await text()).toBe(received)
  })
})

describe('the end of a subscription', () => {
  it('[DLV-07] comes when the reader disconnects, also while it waits', async () => {
    const { open } = createStream()
    const abort = new AbortController()
    const one = await open(undefined, {}, abort.signal)
    const waiting = one.iterator.next()
    abort.abort()
    expect(await soon(waiting)).toEqual(done)
    expect(getEventListeners(abort.signal, 'abort')).toHaveLength(0)
    const other = await open()
    const pending = other.iterator.next()
    expect(await other.iterator.return?.()).toEqual(done)
    expect(await soon(pending)).toEqual(done)
    expect(await soon(other.iterator.next())).toEqual(done)
  })

  it('[DLV-07] comes with the end of the stream, after what was published before', async () => {
    const { stream, publish, subscribe, open } = createStream()
    const { iterator } = await open()
    const waiting = iterator.next()
    stream.close()
    publish(1)
    expect(await soon(waiting)).toEqual(done)
    expect(await soon(subscribe().iterator.next())).toEqual(done)
  })

  it('[DLV-11] comes before the start for a reader that has disconnected, which does not count as a client', async () => {
    const { stream, subscribe, open } = createStream()
    for (let count = 0; count < 255; count += 1) await open()
    expect(await soon(subscribe(undefined, {}, AbortSignal.abort()).iterator.next())).toEqual(done)
    expect(stream.full).toBe(false)
    const last = subscribe()
    expect(stream.full).toBe(false)
    await last.text()
    expect(stream.full).toBe(true)
    await last.iterator.return?.()
    expect(stream.full).toBe(false)
  })
})
