/** @jsxImportSource react */
import { render } from 'ink-testing-library'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { PLAIN_PENS } from '../../src/output/pens.ts'
import type { LiveColumn } from '../../src/output/table.ts'
import { dueText } from '../../src/output/time.ts'
import { LiveModel, type LiveRow } from '../../src/ui/live-model.ts'
import { LiveTable } from '../../src/ui/live-table.ts'
import { helpLines, LiveView } from '../../src/ui/live-view.tsx'

const NOUNS = ['delivery', 'deliveries'] as const
const text = () => ''
const COLUMNS: readonly LiveColumn<never>[] = [
  { header: 'Time', text, width: 9 },
  { header: 'Form', text, width: 12, drops: 2 },
  { header: 'Status', text, width: 9, pen: () => 'red' },
  { header: 'Next', text, width: 9, align: 'right' },
  { header: 'Endpoint', text, width: 8, drops: 1 },
  { header: 'Note', text, width: 20, grows: true },
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
  const model = new LiveModel(NOUNS, {
    replay: async (key) => ({ message: `sent ${key}`, copy: { key: `copy of ${key}`, of: key } }),
    details: async () => () => Array.from({ length: 30 }, (_, at) => `line ${at + 1}`),
    help: (width, notes) => helpLines({ nouns: NOUNS, replay: vi.fn() }, notes, width, pens),
    copy: async (key) => `copied ${key}`,
    quit,
    interrupt: vi.fn(),
    suspend: vi.fn(),
  })
  model.resize({ columns, rows })
  const view = render(
    <LiveView title="deliveries" model={model} table={new LiveTable(COLUMNS, pens)} pens={pens} />,
  )
  onTestFinished(() => view.unmount())
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
    const { model, lines } = show(80, 12)
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
      '❯ 12:00:01Z  survey000001  pending     in 5 min  the handler is too slow',
      '',
      '',
      '',
      '',
      'q quit · ? keys · ↑↓ select · o details · r replay · f filter',
    ])
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
      const { model, lines } = show(columns, rows)
      model.show({ status: 'connected', health: 'endpoint 1 failing since 12:00:00Z · 3 endpoints paused' })
      for (let number = 0; number < 60; number += 1) model.put({ ...pending, key: String(number) })
      for (const key of [' ', '?', '\u001b', 'o', '\u001b', 'f']) {
        await paint()
        expect(lines().length).toBe(rows - 1)
        expect(Math.max(...lines().map((line) => line.length))).toBeLessThanOrEqual(columns)
        if (columns >= 50) expect(lines().join('\n')).toContain('60 deliveries · 60 pending')
        if (columns >= 50 && key === ' ') expect(lines()[rows - 4]).toMatch(/^❯ 12:00:01Z .* in 5 min/)
        model.press(key === '\u001b' ? 'escape' : key)
      }
    },
  )

  it('counts down to the next attempt', async () => {
    const { model, lines } = show(80, 12)
    const startedAt = performance.now()
    const now = () => Date.parse('2026-11-21T12:00:00.000Z') + performance.now() - startedAt
    const due = () => dueText('2026-11-21T12:02:00.000Z', now())
    model.put({ ...pending, cells: pending.cells.map((cell) => (typeof cell === 'function' ? due : cell)) })
    await paint()
    expect(lines()[3]).toContain(' in 2 min ')
    await vi.advanceTimersByTimeAsync(70_000)
    expect(lines()[3]).toContain('  in 50 s ')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lines()[3]).toContain('     due ')
  })

  it('counts deliveries, and their attempts apart, with a comma between thousands', async () => {
    const { model, lines } = show(80, 12)
    const attempt = (number: number, delivery: string | null, tone: LiveRow['tone']) =>
      model.put({ ...delivered, key: `#${number}`, delivery, tone })
    attempt(1, 'dlv_1', 'bad')
    attempt(2, 'dlv_2', 'bad')
    await paint()
    expect(lines()[1]).toBe('2 deliveries · 2 failed')
    attempt(3, 'dlv_1', 'good')
    attempt(4, null, 'bad')
    await paint()
    expect(lines()[1]).toBe('2 deliveries in 3 attempts · 1 failed')
    for (let number = 5; number < 3260; number += 1) attempt(number, `dlv_${number}`, 'good')
    // The row of its first attempt is forgotten by now.
    attempt(3260, 'dlv_2', 'good')
    await paint()
    expect(lines()[1]).toBe('3,257 deliveries in 3,259 attempts')
  })

  it('marks the copy of a replay, whether its row comes before the response or after it', async () => {
    const { model, lines } = show(90, 12)
    model.put(delivered)
    model.press('r')
    await paint()
    expect(lines()[9]).toBe('sent a')
    model.put({ ...pending, key: 'copy of a' })
    await paint()
    expect(lines()[4]).toBe(
      '❯↻12:00:01Z  survey000001  pending     in 5 min  the handler is too slow; replay of a',
    )
    model.put({ ...delivered, key: 'copy of copy of a' })
    model.press('upArrow')
    model.press('r')
    await paint()
    model.press('end')
    await paint()
    expect(lines()[5]).toBe('❯↻12:00:00Z  survey000001  delivered             replay of copy of a')
  })

  it('shows every key at 50 × 12: the list of keys scrolls, and no line of it is cut', async () => {
    const { model, lines } = show(50, 12)
    model.show({ notes: ['webhook secret: whsec_0123456789 (valid until this command ends)'] })
    model.press('?')
    const seen: string[] = []
    for (let page = 0; page < 4; page += 1) {
      await paint()
      seen.push(...lines().slice(3, 9))
      model.press('pageDown')
    }
    const text = seen.join('\n')
    for (const name of ['↑ ↓  j k', 'PgUp PgDn', 'Home End', 'o  Enter', 'Esc', 'f  /', 'Ctrl-Z'])
      expect(text).toMatch(new RegExp(`^${name} `, 'm'))
    for (const name of ['r', 'c', 'q']) expect(text).toMatch(new RegExp(`^${name} {5}`, 'm'))
    expect(text).toContain('first or last; the last one follows new\n           ones')
    expect(text).toMatch(/^webhook secret: whsec_0123456789 \(valid until this$\s^command ends\)$/m)
    expect(text).not.toContain('…')
    expect(lines()[9]).toMatch(/^lines \d+–15 of 15$/)
  })

  it('shows the notes until there are deliveries, above remarks, and never between the headings and a row', async () => {
    const { model, lines } = show(50, 12)
    model.show({ notes: ['webhook secret: whsec_0123456789 (valid until this command ends)'] })
    model.remark('refused GET /')
    await paint()
    expect(lines().slice(2, 7)).toEqual([
      '',
      '  waiting for deliveries',
      '  webhook secret: whsec_0123456789 (valid until',
      '  this command ends)',
      '  refused GET /',
    ])
    model.put(delivered)
    await paint()
    expect(lines().join('\n')).not.toContain('whsec_')
  })

  it('paints at most twenty times a second, and never while a delivery is handled', async () => {
    const { model, frames, lines } = show(80, 12)
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
    expect(lines()[1]).toBe('1,000 deliveries')
  })
})
