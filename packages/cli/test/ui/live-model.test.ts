import { describe, expect, it } from 'vitest'
import { type LiveActions, LiveModel, type LiveRow, MAX_ROWS } from '../../src/ui/live-model.ts'

const row = (key: string, text = key, tone: LiveRow['tone'] = 'good'): LiveRow => ({
  key,
  cells: [text],
  tone,
})
const keys = (rows: readonly LiveRow[]) => rows.map(({ key }) => key)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** @param body lines of the list, beside those of a header and a footer of their full size */
function setUp(actions: Partial<LiveActions> = {}, body = 3, columns = 80): LiveModel {
  const model = new LiveModel(['delivery', 'deliveries'], {
    replay: async (key) => ({ message: `sent ${key}` }),
    details: async (key) => () => [`about ${key}`],
    help: () => ['one', 'two', 'three', 'four', 'five'],
    copy: async (key) => `copied ${key}`,
    quit: () => undefined,
    interrupt: () => undefined,
    suspend: () => undefined,
    ...actions,
  })
  // One line of a header, two of a footer, and a free one.
  model.resize({ columns, rows: body + 4 })
  return model
}

describe('the live list', () => {
  it('shows the newest rows, of all that it keeps', () => {
    const model = setUp()
    for (const key of ['a', 'b', 'c', 'd', 'e']) model.put(row(key))
    expect(keys(model.snapshot().rows)).toEqual(['c', 'd', 'e'])
    model.resize({ columns: 80, rows: 5 })
    expect(keys(model.snapshot().rows)).toEqual(['e'])
    model.resize({ columns: 80, rows: 40 })
    expect(keys(model.snapshot().rows)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
  it('replaces a row in place', () => {
    const model = setUp()
    model.put(row('a', 'pending'))
    model.put(row('b'))
    model.put(row('a', 'delivered'))
    expect(model.snapshot().rows.map(({ cells }) => cells)).toEqual([['delivered'], ['b']])
  })
  it('selects the newest row until the cursor is moved, and again when it is moved back', () => {
    const model = setUp()
    for (const key of ['a', 'b', 'c']) model.put(row(key))
    expect(model.snapshot().selected).toBe('c')
    model.press('upArrow')
    model.put(row('d'))
    expect(model.snapshot().selected).toBe('b')
    model.put(row('e'))
    model.put(row('f'))
    // The selected row stays where it was on the screen, and the rows around it too.
    expect([model.snapshot().selected, keys(model.snapshot().rows)]).toEqual(['b', ['a', 'b', 'c']])
    model.press('end')
    model.put(row('g'))
    expect([model.snapshot().selected, keys(model.snapshot().rows)]).toEqual(['g', ['e', 'f', 'g']])
  })
  it('scrolls through the rows by lines and pages, and passes over notes', () => {
    const model = setUp()
    for (const key of ['a', 'b']) model.put(row(key))
    model.remark('reconnected')
    for (const key of ['c', 'd', 'e']) model.put(row(key))
    const press = (key: string) => {
      model.press(key)
      const { selected, rows } = model.snapshot()
      return [selected, keys(rows)]
    }
    expect(press('upArrow')).toEqual(['d', ['c', 'd', 'e']])
    expect(press('k')).toEqual(['c', ['c', 'd', 'e']])
    expect(press('upArrow')).toEqual(['b', ['b', 'note 1', 'c']])
    expect(press('downArrow')).toEqual(['c', ['b', 'note 1', 'c']])
    expect(press('home')).toEqual(['a', ['a', 'b', 'note 1']])
    expect(press('pageDown')).toEqual(['d', ['note 1', 'c', 'd']])
    expect(press('pageUp')).toEqual(['a', ['a', 'b', 'note 1']])
    expect(press('j')).toEqual(['b', ['a', 'b', 'note 1']])
  })
  it('filters by any column while several keys arrive together', () => {
    const model = setUp()
    model.put(row('1', 'one'))
    model.put({ key: '2', cells: ['12:00', () => 'in two minutes'], tone: 'wait' })
    for (const key of ['f', 'T', 'W', 'return']) model.press(key)
    expect(model.snapshot()).toMatchObject({ filter: 'TW', mode: 'list' })
    expect(keys(model.snapshot().rows)).toEqual(['2'])
    model.press('f')
    model.press('delete')
    model.press('escape')
    expect(keys(model.snapshot().rows)).toEqual(['1', '2'])
    for (const key of ['f', 'x', 'return']) model.press(key)
    expect(keys(model.snapshot().rows)).toEqual([])
    model.press('escape')
    expect(keys(model.snapshot().rows)).toEqual(['1', '2'])
  })
  it('adds pasted text to the filter on one line, and takes it for no keys elsewhere', () => {
    const actions: string[] = []
    const model = setUp({ quit: () => actions.push('quit') })
    model.paste('quit')
    model.press('f')
    model.paste('dlv_1\ndlv_2')
    expect([model.snapshot().filter, actions]).toEqual(['dlv_1 dlv_2', []])
  })
  it('shows the error of a failed replay, and why nothing can be replayed', async () => {
    const model = setUp({ replay: async () => Promise.reject(new Error('the endpoint is paused')) })
    model.press('r')
    expect(model.snapshot().message).toBe('no delivery is selected')
    model.put(row('a'))
    model.press('r')
    await nextTurn()
    expect(model.snapshot().message).toBe('the endpoint is paused')
  })
  it('opens and closes details, quits and interrupts', async () => {
    const actions: string[] = []
    const model = setUp({ quit: () => actions.push('quit'), interrupt: () => actions.push('interrupt') })
    model.put(row('a'))
    model.press('o')
    await nextTurn()
    expect(model.snapshot()).toMatchObject({ mode: 'details', open: { lines: ['about a'] } })
    model.press('r')
    await nextTurn()
    expect(model.snapshot().message).toBe('sent a')
    model.press('escape')
    expect(model.snapshot().mode).toBe('list')
    model.press('q')
    model.press('interrupt')
    expect(actions).toEqual(['quit', 'interrupt'])
  })
  it('scrolls details by lines and pages, wraps them again after a resize, and keeps them open when rows arrive', async () => {
    const lines = Array.from({ length: 8 }, (_, at) => `line ${at}`)
    const model = setUp({ details: async () => (columns) => [`${columns} columns`, ...lines] }, 3, 16)
    model.put(row('a'))
    model.press('o')
    await nextTurn()
    const visible = () => {
      const { open } = model.snapshot()
      return open?.lines.slice(open.offset, open.offset + 3)
    }
    expect(visible()).toEqual(['16 columns', 'line 0', 'line 1'])
    model.press('downArrow')
    expect(visible()).toEqual(['line 0', 'line 1', 'line 2'])
    model.press('pageDown')
    expect(visible()).toEqual(['line 2', 'line 3', 'line 4'])
    model.press('end')
    expect(visible()).toEqual(['line 5', 'line 6', 'line 7'])
    model.press('downArrow')
    expect(visible()).toEqual(['line 5', 'line 6', 'line 7'])
    for (const key of ['b', 'c', 'd', 'e']) model.put(row(key))
    expect(model.snapshot()).toMatchObject({ mode: 'details', selected: 'a' })
    model.press('c')
    await nextTurn()
    expect(model.snapshot().message).toBe('copied a')
    model.resize({ columns: 30, rows: 7 })
    model.press('home')
    expect(visible()?.[0]).toBe('30 columns')
  })
  it('keeps the latest rows and counts all of them', () => {
    const model = setUp()
    for (let number = 0; number < 10_000; number += 1) {
      model.put(row(String(number), 'text', 'wait'))
      if (number % 10 !== 0) model.put(row(String(number), 'text', number % 2 === 0 ? 'bad' : 'good'))
    }
    expect(model.counts).toEqual({ all: 10_000, attempts: 0, pending: 1000, bad: 4000 })
    model.press('home')
    expect(model.snapshot().selected).toBe(String(10_000 - MAX_ROWS))
    // The oldest row, which is forgotten for it, is pending.
    model.remark('a note is not counted')
    expect(model.counts).toEqual({ all: 10_000, attempts: 0, pending: 1000, bad: 4000 })
  })
  it('drops details that arrive after something else was begun', async () => {
    const arrive: (() => void)[] = []
    const model = setUp({
      details: (key) => new Promise((resolve) => arrive.push(() => resolve(() => [`about ${key}`]))),
    })
    for (const key of ['a', 'b']) model.put(row(key))
    for (const key of ['f', '?', 'upArrow']) {
      model.press('o')
      model.press(key)
      arrive.pop()?.()
      await nextTurn()
      expect(model.snapshot()).toMatchObject({
        mode: { f: 'filter', '?': 'help', upArrow: 'list' }[key],
        open: undefined,
      })
      model.press('escape')
    }
    model.press('end')
    model.press('o')
    // The newest row may become another one meanwhile.
    model.put(row('c'))
    arrive.pop()?.()
    await nextTurn()
    expect(model.snapshot()).toMatchObject({ mode: 'details', selected: 'b' })
  })
  it('[AUTH-02] removes control characters and secrets from all that is beside the rows', async () => {
    const hostile = '\u001b[2Jno\u202e hunter42 and svc_0123456789'
    const shown = '[2Jno [redacted] and svc_[redacted]'
    const model = setUp({ replay: async () => Promise.reject(new Error(hostile)), copy: async () => hostile })
    model.hide(['hunter42'])
    model.put(row('a'))
    for (const key of ['r', 'c']) {
      model.press(key)
      await nextTurn()
      expect(model.snapshot().message).toBe(shown)
      model.show({ message: '' })
    }
    model.show({ status: hostile, health: hostile, message: hostile })
    expect(model.snapshot()).toMatchObject({ status: shown, health: shown, message: shown })
    model.press('f')
    for (const character of '\u202eof \u0007hunter42\u001b') model.press(character)
    expect(model.snapshot().filter).toBe('of [redacted]')
  })
  it('lays out open details again when the health changes, and reads them again when their row changes', async () => {
    const state = { health: 'healthy', status: 'pending', fails: false }
    const model = setUp({
      details: async (key) => {
        if (state.fails) throw new Error('not found')
        const { status } = state
        return () => [`${key} ${status}`, `endpoint ${state.health}`]
      },
    })
    const lines = () => model.snapshot().open?.lines
    model.put(row('a', 'pending', 'wait'))
    model.put(row('b'))
    model.press('upArrow')
    model.press('o')
    await nextTurn()
    state.health = 'failing'
    model.show({ health: 'endpoint 1 failing' })
    expect(lines()).toEqual(['a pending', 'endpoint failing'])
    state.status = 'delivered'
    model.put(row('b', 'another row'))
    await nextTurn()
    expect(lines()).toEqual(['a pending', 'endpoint failing'])
    model.put(row('a', 'delivered'))
    await nextTurn()
    expect(lines()).toEqual(['a delivered', 'endpoint failing'])
    // They stay as they are when they cannot be read.
    state.fails = true
    model.put(row('a', 'deleted'))
    await nextTurn()
    expect(lines()).toEqual(['a delivered', 'endpoint failing'])
    expect(model.snapshot().message).toBe('')
  })
  it('[AUTH-02] removes control characters and secrets from rows, and secrets that are added later', () => {
    const model = setUp()
    const secrets = ['hunter42']
    model.hide(secrets)
    secrets.push('whsec-less')
    model.put({
      ...row('a'),
      cells: ['\u001b[2Jno hunter42', 'svc_0123456789', 'the whsec-less one', () => 'in 5 min'],
    })
    model.remark('lost hunter42')
    const [delivery, note] = model.snapshot().rows
    expect(delivery?.cells.slice(0, 3)).toEqual(['[2Jno [redacted]', 'svc_[redacted]', 'the [redacted] one'])
    expect(note?.cells).toEqual(['  lost [redacted]'])
  })
})
