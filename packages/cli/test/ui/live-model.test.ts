import { describe, expect, it } from 'vitest'
import { type KeyName, parseKeys } from '../../src/ui/keys.ts'
import { type LiveActions, LiveModel, type LiveRow } from '../../src/ui/live-model.ts'

const row = (key: string, line = key): LiveRow => ({ key, line, tone: 'good' })
const keys = (rows: readonly LiveRow[]) => rows.map(({ key }) => key)

const named = (name: KeyName) => ({ input: '', name })

function setUp(actions: Partial<LiveActions> = {}, height = 3): LiveModel {
  const model = new LiveModel({
    replay: async (key) => `sent ${key}`,
    details: async (key) => [`about ${key}`],
    copy: async (key) => `copied ${key}`,
    quit: () => undefined,
    interrupt: () => undefined,
    suspend: () => undefined,
    ...actions,
  })
  model.resize(height, 80)
  return model
}

describe('the live list', () => {
  it('keeps the newest rows and moves older ones to the history once', () => {
    const model = setUp()
    for (const key of ['a', 'b', 'c', 'd', 'e']) model.put(row(key))
    expect(keys(model.snapshot().rows)).toEqual(['c', 'd', 'e'])
    expect(keys(model.takeHistory())).toEqual(['a', 'b'])
    model.resize(1, 80)
    expect(keys(model.takeHistory())).toEqual(['c', 'd'])
    model.finish()
    expect(keys(model.takeHistory())).toEqual(['e'])
    expect(model.takeHistory()).toEqual([])
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
    model.press(named('up'))
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
    for (const key of parseKeys('fTW\r').keys) model.press(key)
    expect(model.snapshot()).toMatchObject({ filter: 'TW', mode: 'list' })
    expect(keys(model.snapshot().rows)).toEqual(['two'])
    model.press({ input: 'f' })
    model.press(named('backspace'))
    model.press(named('escape'))
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
    model.press(named('escape'))
    expect(model.snapshot().mode).toBe('list')
    model.press({ input: 'q' })
    model.press(named('interrupt'))
    expect(actions).toEqual(['quit', 'interrupt'])
  })
  it('scrolls details by lines and pages, wrapped to the width, and keeps them open when rows arrive', async () => {
    const lines = [
      '{',
      '  "a": "one two three four five"',
      ...Array.from({ length: 8 }, (_, at) => `line ${at}`),
    ]
    const model = setUp({ details: async () => lines })
    model.resize(3, 16)
    model.put(row('a'))
    model.press({ input: 'o' })
    await new Promise((resolve) => setImmediate(resolve))
    const visible = () => {
      const { details, offset } = model.snapshot()
      return details.slice(offset, offset + 3)
    }
    expect(visible()).toEqual(['{', '  "a": "one two', '  three four'])
    model.press(named('down'))
    expect(visible()).toEqual(['  "a": "one two', '  three four', '  five"'])
    model.press(named('pageDown'))
    expect(visible()).toEqual(['  five"', 'line 0', 'line 1'])
    model.press(named('end'))
    expect(visible()).toEqual(['line 5', 'line 6', 'line 7'])
    model.press(named('down'))
    expect(visible()).toEqual(['line 5', 'line 6', 'line 7'])
    for (const key of ['b', 'c', 'd', 'e']) model.put(row(key))
    expect(model.snapshot()).toMatchObject({ mode: 'details', selected: 'a' })
    model.press({ input: 'c' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(model.snapshot().message).toBe('copied a')
    model.press(named('home'))
    expect(visible()[0]).toBe('{')
  })
  it('? shows the keys, Escape closes them', () => {
    const model = setUp()
    model.press({ input: '?' })
    expect(model.snapshot().mode).toBe('help')
    model.press(named('escape'))
    expect(model.snapshot().mode).toBe('list')
  })
  it('? shows the keys over the details, which are there again afterwards', async () => {
    const model = setUp({ details: async () => ['one', 'two', 'three'] })
    model.resize(2, 20)
    model.put(row('a'))
    model.press({ input: 'o' })
    await new Promise((resolve) => setImmediate(resolve))
    model.press(named('down'))
    for (const key of [{ input: '?' }, named('escape'), named('enter')]) {
      model.press({ input: '?' })
      expect(model.snapshot().mode).toBe('help')
      for (const other of ['b', 'c', 'd']) model.put(row(other))
      model.press(key)
      expect(model.snapshot()).toMatchObject({ mode: 'details', selected: 'a', offset: 1 })
    }
    model.press(named('escape'))
    expect(model.snapshot().mode).toBe('list')
  })
  it('keeps no row after it was handed over', () => {
    const model = setUp()
    let given = 0
    for (let number = 0; number < 10_000; number += 1) {
      model.put(row(String(number)))
      if (number % 100 === 0) given += model.takeHistory().length
    }
    model.finish()
    expect(given + model.takeHistory().length).toBe(10_000)
    expect([...model.texts()].filter((text) => text !== '')).toEqual([])
  })
})

describe('keys of a terminal', () => {
  it('reads characters, sequences, and a sequence that arrives in two chunks', () => {
    expect(parseKeys('aé日').keys).toEqual([{ input: 'a' }, { input: 'é' }, { input: '日' }])
    expect(parseKeys('\u001b[A\u001bOB\u001b[5~\u001b[6~\u001b[1;5C').keys.map(({ name }) => name)).toEqual([
      'up',
      'down',
      'pageUp',
      'pageDown',
      'unknown',
    ])
    expect(parseKeys('x\u001b[')).toEqual({ keys: [{ input: 'x' }], rest: '\u001b[' })
    expect(parseKeys('\u001b')).toEqual({ keys: [], rest: '\u001b' })
    expect(parseKeys('\u001b', true).keys).toEqual([{ input: '', name: 'escape' }])
    expect(parseKeys('\u0003\u001a\r\u007f').keys.map(({ name }) => name)).toEqual([
      'interrupt',
      'suspend',
      'enter',
      'backspace',
    ])
  })
})
