import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { receiveWithin } from '../../src/http/body.ts'
import { type BodyLimits, ReceivedBytes, receiveBody } from '../../src/http/receive-body.ts'
import { ByteBudget } from '../../src/policy/byte-budget.ts'

/** A timer on a clock that the test advances. */
function fakeTimers() {
  let now = 0
  let due: { at: number; callback: () => void } | undefined
  return {
    wakeAfter(delayMs: number, callback: () => void) {
      due = { at: now + delayMs, callback }
      return () => {
        due = undefined
      }
    },
    get isSet() {
      return due !== undefined
    },
    advance(ms: number) {
      const end = now + ms
      while (due && due.at <= end) {
        const { at, callback } = due
        now = at
        due = undefined
        callback()
      }
      now = end
    },
  }
}

function receiving(limits: Partial<BodyLimits> = {}) {
  const source = new PassThrough()
  const timers = fakeTimers()
  const received = receiveBody(source, { maxBytes: 1_048_576, ...limits }, timers.wakeAfter)
  const outcome = received.then(
    (bytes) => `${bytes.byteLength} bytes`,
    (error: Error) => error.message,
  )
  /** Resolves when the bytes have arrived. */
  const send = async (bytes: number) => {
    source.write(new Uint8Array(bytes))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { source, timers, outcome, send }
}

describe('receiving a body', () => {
  it('[ERR-01] rejects a body that sends nothing for 20 seconds', async () => {
    const { timers, outcome, source } = receiving()
    timers.advance(20_000)
    expect(await outcome).toBe('The body arrived too slowly: 0 bytes in the last 20 s.')
    expect(source.listenerCount('data')).toBe(0)
  })

  it('[ERR-01] rejects a large body that stalls within 40 seconds', async () => {
    const { timers, outcome, send } = receiving({ maxBytes: 10_485_761 })
    await send(10_485_760)
    timers.advance(39_999)
    expect(timers.isSet).toBe(true)
    timers.advance(1)
    expect(await outcome).toBe('The body arrived too slowly: 0 bytes in the last 20 s.')
    expect(timers.isSet).toBe(false)
  })

  it('[ERR-01] accepts 4 kB per second, and rejects a byte less in any 20 seconds', async () => {
    const { timers, outcome, send } = receiving()
    for (let second = 0; second < 99; second += 1) {
      await send(4096)
      timers.advance(1000)
    }
    await send(4095)
    expect(timers.isSet).toBe(true)
    timers.advance(1000)
    expect(await outcome).toBe('The body arrived too slowly: 81919 bytes in the last 20 s.')
  })

  it('clears its timer once a body is complete, too large or interrupted', async () => {
    const whole = receiving()
    await whole.send(3)
    whole.source.end()
    expect(await whole.outcome).toBe('3 bytes')
    const large = receiving({ maxBytes: 2 })
    await large.send(3)
    expect(await large.outcome).toBe('The body is larger than 2 bytes.')
    const broken = receiving()
    broken.source.destroy()
    expect(await broken.outcome).toBe('The connection closed before the whole body was received.')
    expect([whole, large, broken].map(({ timers }) => timers.isSet)).toEqual([false, false, false])
  })

  it('buffers a body of one-byte chunks in about its own size', () => {
    const body = new ReceivedBytes(1_000_000)
    for (let i = 0; i < 1_000_000; i += 1) body.add(Uint8Array.of(i % 256))
    expect(body.bytes().byteLength).toBe(1_000_000)
    expect(body.bytes().buffer.byteLength).toBe(1_000_000)
    expect([...body.bytes().subarray(255, 258)]).toEqual([255, 0, 1])
  })
})

const KIB = 1024

describe('bodies in flight', () => {
  it('rejects the byte that exceeds the maximum of all bodies before buffering it, and frees what it counted', async () => {
    const budget = new ByteBudget(10 * KIB)
    const first = receiving()
    const one = receiveWithin(budget, '192.0.2.1', (reserve) => {
      reserve((16 + 6) * KIB)
      return first.outcome
    })
    const kept: number[] = []
    const refused = receiveWithin(budget, '192.0.2.2', async (reserve) => {
      for (const bytes of [(16 + 4) * KIB, 1]) {
        reserve(bytes)
        kept.push(bytes)
      }
    })
    await expect(refused).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect(kept).toEqual([20_480])
    first.source.end()
    await one
    const whole = receiveWithin(budget, '192.0.2.3', async (reserve) => reserve((16 + 10) * KIB))
    await expect(whole).resolves.toBeUndefined()
  })
})
