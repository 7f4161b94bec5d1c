import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { fileCheckpoint } from '../src/checkpoint/file.ts'
import { redisCheckpoint } from '../src/checkpoint/redis.ts'
import { Formwire, TimeoutError } from '../src/index.ts'
import { fakeTransport, ME } from './support/fake-transport.ts'

const { setImmediate: setImmediateForReal } = globalThis
let directory = ''

beforeEach(() => {
  directory = temporaryDirectory()
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('with the fake timers of a test runner', () => {
  it('retries a 503', async () => {
    const transport = fakeTransport({ status: 503 }, ME)
    await new Formwire({ apiKey: 'svc_k', transport, random: () => 0 }).me()
    expect(transport.requests).toHaveLength(2)
  })

  it('throws TimeoutError after timeoutMs and after totalTimeoutMs', async () => {
    const client = new Formwire({ apiKey: 'svc_k', transport: fakeTransport('hang'), maxRetries: 0 })
    await expect(client.me({ timeoutMs: 5 })).rejects.toThrow(TimeoutError)
    await expect(client.me({ totalTimeoutMs: 5 })).rejects.toThrow(TimeoutError)
  })

  it('takes over an abandoned lock of a file checkpoint and touches its own', async () => {
    const lock = join(directory, 'form.json.lock')
    writeFileSync(lock, '')
    const lease = await fileCheckpoint(directory, { leaseMs: 60 }).acquire?.('form')
    const { mtimeMs } = statSync(lock)
    expect(mtimeMs).toBeGreaterThan(1_700_000_000_000)
    while (statSync(lock).mtimeMs === mtimeMs) await new Promise(setImmediateForReal)
    expect(statSync(lock).mtimeMs).toBeGreaterThan(mtimeMs)
    await lease?.release()
  })

  it('waits for the lease of a Redis checkpoint and renews it', async () => {
    const replies = [0, 1]
    let renewed = (): void => {}
    const renewal = new Promise<void>((resolve) => {
      renewed = resolve
    })
    const client = {
      get: async () => null,
      eval: async () => {
        if (replies.length === 0) renewed()
        return replies.shift() ?? 1
      },
    }
    const lease = await redisCheckpoint({ client, leaseMs: 30 }).acquire?.('form')
    await renewal
    expect(replies).toEqual([])
    await lease?.release()
  })
})
