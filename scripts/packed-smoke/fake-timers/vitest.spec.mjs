import { FakeTimersError } from '@formwire/reference-server'
import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire, isUsageError } from '@formwire/sdk'
import { undiciTransport } from '@formwire/sdk/undici'
import { afterEach, expect, test, vi } from 'vitest'
import waitsInRealTime from './scenario.cjs'

const kit = { startFormwire, makeQuestion, Formwire }
const ALL_BUT_MICROTASKS = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['Date', 'performance', 'hrtime'],
]

afterEach(() => vi.useRealTimers())

test('vitest fakes its default timers', () => waitsInRealTime(kit, () => vi.useFakeTimers()))

test('vitest fakes every timer except microtasks', () =>
  waitsInRealTime(kit, () => vi.useFakeTimers({ toFake: ALL_BUT_MICROTASKS })))

test('a faked queueMicrotask is an error of each request, and deliveries work', async () => {
  const toFake = [...ALL_BUT_MICROTASKS, 'queueMicrotask']
  await expect(waitsInRealTime(kit, () => vi.useFakeTimers({ toFake }))).rejects.toThrow(FakeTimersError)
  const remote = await startFormwire({ listen: true })
  const { fetch, ...options } = remote.clientOptions
  for (const client of [
    { ...options, fetch },
    { ...options, transport: undiciTransport() },
  ]) {
    const error = await new Formwire(client).me().catch((thrown) => thrown)
    expect(isUsageError(error)).toBe(true)
    expect(error.message).toContain('Fake timers have replaced queueMicrotask')
  }
  await remote.close()
})
