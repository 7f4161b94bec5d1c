import { describe, expect, it } from 'vitest'
import { Progress } from '../../src/output/progress.ts'
import type { Runtime } from '../../src/runtime.ts'
import { outputOn } from '../support/on-terminal.ts'

/** Returns what a terminal shows, line by line: `\r` and the erasure of a line are the only sequences. */
function screenLines(text: string): string[] {
  const lines = text.split('\n')
  return lines.map((line) => line.slice(line.lastIndexOf('\r\u001b[2K') + 1).replace('\u001b[2K', ''))
}

/** An output on a terminal, and what it shows. */
function terminal(columns = 80) {
  const { output, written } = outputOn(columns)
  return { output, lines: () => screenLines(written.join('')) }
}

describe('the status line', () => {
  it('has what is waited for, then the progress', () => {
    const { output, lines } = terminal()
    output.progress('100 of 300 responses')
    output.waiting('retrying in 2 s')
    expect(lines()).toEqual(['retrying in 2 s · 100 of 300 responses'])
    output.waiting('')
    expect(lines()).toEqual(['100 of 300 responses'])
    output.clearProgress()
    expect(lines()).toEqual([''])
  })

  it('stays below notes and announcements', () => {
    const { output, lines } = terminal()
    output.progress('1 of 2')
    output.note('a note')
    output.announce('event', 'an announcement')
    expect(lines()).toEqual(['a note', '◦ an announcement', '1 of 2'])
  })

  it('never mixes with rows on the same terminal', async () => {
    const { output, lines } = terminal()
    output.progress('1 of 3')
    await output.line('row 1')
    output.progress('2 of 3')
    await output.write('[{"id":2}')
    output.progress('3 of 3')
    expect(output.showsProgress).toBe(false)
    await output.write(']\n')
    expect(lines()).toEqual(['row 1', '[{"id":2}]', ''])
  })

  it('is cut to the width, with room for the ^C of an interruption, so that it can be erased', () => {
    const { output, lines } = terminal(16)
    output.progress('rate limited; retrying in 3 s')
    expect(lines()).toEqual(['rate limited…'])
  })
})

describe('what stands before a note or an announcement on a terminal', () => {
  it.each([
    ['good', '✓ text'],
    ['wait', '◦ text'],
    ['bad', '✗ text'],
    ['calm', '– text'],
    [undefined, 'text'],
  ] as const)('is the mark of a note that is %s', (tone, line) => {
    const { output, lines } = terminal()
    output.note('text', tone)
    expect(lines()).toEqual([line, ''])
  })
  it.each([
    ['listening', '✓ text'],
    ['form_failed', '✗ text'],
    ['endpoint_left', '✗ text'],
    ['rate_limited', '◦ text'],
    ['request', '– text'],
  ])('is the mark of the event %s', (event, line) => {
    const { output, lines } = terminal()
    output.announce(event, 'text')
    expect(lines()).toEqual([line, ''])
  })
})

describe('progress', () => {
  /** Shows a progress and returns the line of the last count. */
  function shown(
    counts: readonly [second: number, count: number][],
    total: number,
    columns = 80,
    detail?: string,
  ): string {
    const { output, lines } = terminal(columns)
    let now = 0
    const runtime = { clock: { now: () => now } } as unknown as Runtime
    const progress = new Progress({ output, runtime }, 'responses', total)
    for (const [second, count] of counts) {
      now = second * 1000
      progress.show(count, detail)
    }
    return lines().at(-1) ?? ''
  }

  it('says the time that is left of a million in minutes', () => {
    const pages = Array.from({ length: 600 }, (_, page): [number, number] => [page * 0.5, page * 100])
    expect(shown(pages, 1_000_000, 100)).toBe(
      '━─────────────────── 59,900 of 1,000,000 responses (5%) · 12,000/min · 1 h 19 min left',
    )
  })

  it('measures the pace of the last minute, as after a wait for a rate limit', () => {
    const slow = Array.from({ length: 100 }, (_, at): [number, number] => [60 + at, 1000 + at])
    expect(shown([[1, 1000], ...slow], 2000, 100)).toMatch(/ · 60\/min · 16 min left$/)
  })
})
