/** @jsxImportSource react */
import { Chalk } from 'chalk'
import { render } from 'ink-testing-library'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import { dueText } from '../../src/output/time.ts'
import { LiveModel, type LiveRow } from '../../src/ui/live-model.ts'
import { type LiveColumn, LiveTable } from '../../src/ui/live-table.ts'
import { LiveView } from '../../src/ui/live-view.tsx'

const COLUMNS: readonly LiveColumn[] = [
  { header: 'Time', width: 9 },
  { header: 'Form', width: 12, drops: 2 },
  { header: 'Status', width: 9, isToned: true },
  { header: 'Next', width: 9, align: 'right' },
  { header: 'Endpoint', width: 8, drops: 1 },
  { header: 'Note', width: 20 },
]

const delivered: LiveRow = {
  key: 'a',
  cells: ['12:00:00Z', 'survey000001', 'delivered', '', '', ''],
  tone: 'good',
}
const pending: LiveRow = {
  key: 'b',
  cells: ['12:00:01Z', 'survey000001', 'pending', () => 'in 5 min', '', 'the handler is too slow'],
  tone: 'wait',
}

let quit: ReturnType<typeof vi.fn<() => void>>

function show(columns: number, rows: number, pens = PLAIN_PENS) {
  quit = vi.fn<() => void>()
  const model = new LiveModel({
    replay: async (key) => `sent ${key}`,
    details: async () => () => Array.from({ length: 30 }, (_, at) => `line ${at + 1}`),
    copy: async (key) => `copied ${key}`,
    quit,
    interrupt: vi.fn(),
    suspend: vi.fn(),
  })
  model.resize({ columns, rows })
  const view = render(
    <LiveView title="deliveries" model={model} table={new LiveTable(COLUMNS, pens)} pens={pens} />,
  )
  return { model, ...view, lines: () => (view.lastFrame() ?? '').split('\n') }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const paint = () => vi.advanceTimersByTimeAsync(60)

describe('the live view', () => {
  it('has a header, the rows in columns, and the keys', async () => {
    const { model, lines, unmount } = show(80, 12)
    await paint()
    expect(lines().slice(0, 4)).toEqual(['deliveries', '0 deliveries', '', '  waiting for deliveries'])
    model.show({ status: 'connected', health: 'endpoint 1 failing' })
    model.put(delivered)
    model.remark('reconnected')
    model.put(pending)
    await paint()
    expect(lines()).toEqual([
      'deliveries',
      'connected · 2 deliveries · 1 pending · endpoint 1 failing',
      '  TIME       FORM          STATUS          NEXT  NOTE',
      '  12:00:00Z  survey000001  delivered',
      '  reconnected',
      '› 12:00:01Z  survey000001  pending     in 5 min  the handler is too slow',
      '',
      '',
      '',
      '',
      'q quit · ? keys · ↑↓ select · o details · r replay · f filter',
    ])
    unmount()
  })

  it.each([
    [80, 24],
    [50, 12],
    [100, 40],
    [20, 6],
    [10, 3],
  ])(
    'never has more lines or columns than a screen of %i × %i but one, and always the same number of lines',
    async (columns, rows) => {
      const { model, lines, unmount } = show(columns, rows)
      model.show({ status: 'connected', health: 'endpoint 1 failing since 12:00:00Z · 3 endpoints paused' })
      for (let number = 0; number < 60; number += 1) model.put({ ...pending, key: String(number) })
      for (const key of [' ', '?', '\u001b', 'o', '\u001b', 'f']) {
        await paint()
        expect(lines().length).toBe(rows - 1)
        expect(Math.max(...lines().map((line) => line.length))).toBeLessThanOrEqual(columns)
        if (columns >= 50) expect(lines().join('\n')).toContain('60 deliveries · 60 pending')
        if (columns >= 50 && key === ' ') expect(lines()[rows - 4]).toMatch(/^› 12:00:01Z .* in 5 min/)
        model.press(key === '\u001b' ? 'escape' : key)
      }
      unmount()
    },
  )

  it('shows a column from its first text on, if there is space for it after those that matter more', async () => {
    const { model, lines, unmount } = show(80, 12)
    model.put(delivered)
    await paint()
    expect(lines()[2]).toBe('  TIME       FORM          STATUS')
    model.put({ ...delivered, key: 'c', cells: ['12:00:02Z', 'survey000001', 'failed', '', '2', ''] })
    await paint()
    expect(lines().slice(2, 5)).toEqual([
      '  TIME       FORM          STATUS     ENDPOINT',
      '  12:00:00Z  survey000001  delivered',
      '› 12:00:02Z  survey000001  failed     2',
    ])
    model.resize({ columns: 40, rows: 12 })
    await paint()
    expect(lines()[2]).toBe('  TIME       STATUS     ENDPOINT')
    unmount()
  })

  it('colours the status only, and marks the selected row', async () => {
    const pens = new Chalk({ level: 1 })
    const { model, lastFrame, unmount } = show(80, 12, pens)
    model.put(delivered)
    model.put(pending)
    await paint()
    const frame = lastFrame() ?? ''
    expect(frame).toContain(`  12:00:00Z  survey000001  ${pens.green('delivered')}`)
    expect(frame).toContain(`\u001b[7m› 12:00:01Z  survey000001  ${pens.yellow('pending  ')}`)
    expect(frame).toContain(pens.yellow('1 pending'))
    unmount()
  })

  it('[ENV-04] does not colour an unknown status', async () => {
    const pens = new Chalk({ level: 1 })
    const { model, lastFrame, unmount } = show(80, 12, pens)
    model.put({
      key: 'c',
      cells: ['12:00:00Z', 'survey000001', 'parked', '', '', ''],
      tone: undefined,
    })
    model.put(delivered)
    await paint()
    expect(lastFrame()).toContain('  12:00:00Z  survey000001  parked')
    unmount()
  })

  it('[AUTH-02] removes control characters and secrets from what is beside the rows', async () => {
    const { model, lines, unmount } = show(80, 12)
    model.hide(['hunter42'])
    model.show({ status: 'lost (\u001b[2J\u202ehunter42)', message: '\u001b[2J\u202ehunter42' })
    await paint()
    expect(lines()[1]).toBe('lost ([2J[redacted]) · 0 deliveries')
    expect(lines()[9]).toBe('[2J[redacted]')
    unmount()
  })

  it('counts down to the next attempt', async () => {
    const { model, lines, unmount } = show(80, 12)
    const startedAt = performance.now()
    const now = () => Date.parse('2026-11-21T12:00:00.000Z') + performance.now() - startedAt
    const due = () => dueText('2026-11-21T12:05:00.000Z', now())
    model.put({ ...pending, cells: pending.cells.map((cell) => (typeof cell === 'function' ? due : cell)) })
    await paint()
    expect(lines()[3]).toContain(' in 5 min ')
    await vi.advanceTimersByTimeAsync(250_000)
    expect(lines()[3]).toContain('  in 50 s ')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lines()[3]).toContain('     due ')
    unmount()
  })

  it('reads keys, several at once, sequences that it does not know, and pasted text', async () => {
    const { model, stdin, lines, unmount } = show(80, 12)
    model.put(delivered)
    model.put(pending)
    await paint()
    stdin.write('\u001b[A')
    await paint()
    expect(lines()[3]).toMatch(/^› 12:00:00Z/)
    // A focused window, Ctrl and an arrow, Alt and a letter.
    for (const unknown of ['\u001b[I', '\u001b[1;5C', '\u001bq']) stdin.write(unknown)
    stdin.write('\u001b[200~q\rf\u001b[201~')
    expect(quit).not.toHaveBeenCalled()
    stdin.write('f')
    stdin.write('\u001b[200~too\nslow\u001b[201~')
    await paint()
    expect(lines()[9]).toBe('filter: too slow▏')
    stdin.write('\u007f\u007f\u007f\u007f\u007f\r')
    await paint()
    expect(lines().slice(3, 5)).toEqual([expect.stringContaining('the handler is too slow'), ''])
    stdin.write('o')
    await paint()
    expect(lines().slice(9)).toEqual([
      'lines 1–6 of 30',
      'esc back · ? keys · ↑↓ PgUp PgDn scroll · r replay · c copy · q quit',
    ])
    stdin.write('\u001b[6~')
    await paint()
    expect(lines().slice(2, 5)).toEqual(['', 'line 6', 'line 7'])
    stdin.write('q')
    expect(quit).toHaveBeenCalledOnce()
    unmount()
  })

  it('paints at most twenty times a second, and never while a delivery is handled', async () => {
    const { model, frames, lines, unmount } = show(80, 12)
    await paint()
    const before = frames.length
    for (let number = 0; number < 1000; number += 1) {
      const painted = frames.length
      model.put({ ...delivered, key: String(number) })
      expect(frames.length).toBe(painted)
      await vi.advanceTimersByTimeAsync(1)
    }
    await paint()
    expect(frames.length - before).toBeGreaterThan(15)
    expect(frames.length - before).toBeLessThanOrEqual(21)
    expect(lines()[1]).toBe('1000 deliveries')
    unmount()
  })
})
