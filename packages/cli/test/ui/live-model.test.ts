import { describe, expect, it } from 'vitest'
import { type LiveActions, LiveModel, type LiveRow } from '../../src/ui/live-model.ts'

const row = (key: string, line = key): LiveRow => ({ key, line, tone: 'good' })
const keys = (rows: readonly LiveRow[]) => rows.map(({ key }) => key)

function setUp(actions: Partial<LiveActions> = {}, height = 3): LiveModel {
  const model = new LiveModel({
    replay: async (key) => `sent ${key}`,
    details: async (key) => [`about ${key}`],
    quit: () => undefined,
    interrupt: () => undefined,
    ...actions,
  })
  model.resize(height)
  return model
}

describe('the live list', () => {
  it('keeps the newest rows and moves older ones to the history once', () => {
    const model = setUp()
    for (const key of ['a', 'b', 'c', 'd', 'e']) model.put(row(key))
    expect(keys(model.snapshot().rows)).toEqual(['c', 'd', 'e'])
    expect(keys(model.snapshot().history)).toEqual(['a', 'b'])
    model.resize(1)
    expect(keys(model.snapshot().history)).toEqual(['a', 'b', 'c', 'd'])
  })
  it('replaces a row in place', () => {
    const model = setUp()
    model.put(row('a', 'pending'))
    model.put(row('b'))
    model.put(row('a', 'delivered'))
    expect(model.snapshot().rows.map(({ line }) => line)).toEqual(['delivered', 'b'])
  })
  it('selects the newest row until the cursor is moved', () => {
    const model = setUp()
    for (const key of ['a', 'b', 'c']) model.put(row(key))
    expect(model.snapshot().selected).toBe('c')
    model.press({ input: '', up: true })
    model.put(row('d'))
    expect(model.snapshot().selected).toBe('b')
    model.put(row('e'))
    model.put(row('f'))
    expect(model.snapshot().selected).toBe('f')
  })
  it('handles several keys that arrive together', () => {
    const model = setUp()
    model.put(row('one'))
    model.put(row('two'))
    model.press({ input: 'fTW\r' })
    expect(model.snapshot()).toMatchObject({ filter: 'TW', mode: 'list' })
    expect(keys(model.snapshot().rows)).toEqual(['two'])
    model.press({ input: 'f' })
    model.press({ input: '', backspace: true })
    model.press({ input: '', escape: true })
    expect(keys(model.snapshot().rows)).toEqual(['one', 'two'])
  })
  it('shows the error of a failed replay', async () => {
    const model = setUp({ replay: async () => Promise.reject(new Error('the endpoint is paused')) })
    model.put(row('a'))
    model.press({ input: 'r' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(model.snapshot().message).toBe('the endpoint is paused')
  })
  it('opens and closes details, quits and interrupts', async () => {
    const actions: string[] = []
    const model = setUp({ quit: () => actions.push('quit'), interrupt: () => actions.push('interrupt') })
    model.put(row('a'))
    model.press({ input: 'o' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(model.snapshot()).toMatchObject({ mode: 'details', details: ['about a'] })
    model.press({ input: '', escape: true })
    expect(model.snapshot().mode).toBe('list')
    model.press({ input: 'q' })
    model.press({ input: 'c', ctrl: true })
    expect(actions).toEqual(['quit', 'interrupt'])
  })
})
