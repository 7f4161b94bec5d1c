import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const { nextTick } = process

describe('functions that a setup file faked before the kit was imported', () => {
  beforeEach(() => vi.resetModules())
  afterEach(() => {
    vi.unstubAllGlobals()
    process.nextTick = nextTick
  })

  it('are refused by a request if queueMicrotask runs nothing', async () => {
    vi.stubGlobal('queueMicrotask', () => undefined)
    const { startFormwire } = await import('../../src/testing/index.ts')
    await using kit = await startFormwire()
    await expect(kit.clientOptions.fetch('http://formwire.test/api/v1/me')).rejects.toThrow(
      'Fake timers have replaced queueMicrotask',
    )
  })

  it('are refused at the start if process.nextTick runs nothing', async () => {
    const { startFormwire } = await import('../../src/testing/index.ts')
    process.nextTick = () => undefined
    await expect(startFormwire()).rejects.toThrow('Fake timers have replaced process.nextTick')
  })
})
