import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire, UsageError } from '@formwire/sdk'
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

test('a faked queueMicrotask is an error of the SDK, through each transport', async () => {
  vi.useFakeTimers({ toFake: [...ALL_BUT_MICROTASKS, 'queueMicrotask'] })
  const { clientOptions, close } = await startFormwire({ listen: true })
  const { fetch, ...remote } = clientOptions
  for (const options of [clientOptions, remote, { ...remote, transport: undiciTransport() }]) {
    const error = await new Formwire(options).me().catch((thrown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain('Fake timers have replaced queueMicrotask')
  }
  await close()
})
