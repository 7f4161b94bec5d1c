import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Screen } from '../../src/ui/screen.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('paints at most twenty times a second, with the history of the time in between in one piece', async () => {
  const writes: string[] = []
  let rows: string[] = []
  let count = 0
  const stdout = {
    columns: 40,
    rows: 10,
    write: (text: string) => {
      writes.push(text)
      return true
    },
  }
  const screen = new Screen(
    { stdin: new Readable({ read: () => undefined }), stdout },
    {
      texts: () => [],
      takeHistory: () => rows.splice(0),
      frame: () => [`rows: ${count}`],
      onKey: () => undefined,
      onResize: () => undefined,
    },
  )
  screen.open()
  await vi.advanceTimersByTimeAsync(1000)
  writes.length = 0
  for (; count < 1000; count += 1) {
    rows.push(`row ${count}`)
    screen.invalidate()
    await vi.advanceTimersByTimeAsync(1)
  }
  await vi.advanceTimersByTimeAsync(50)
  expect(writes.length).toBeGreaterThan(15)
  expect(writes.length).toBeLessThanOrEqual(21)
  const shown = writes.flatMap((text) => text.match(/row \d+/g) ?? [])
  expect(shown).toEqual(Array.from({ length: 1000 }, (_, number) => `row ${number}`))
  rows = ['the last one']
  screen.close()
  expect(writes.at(-1)).toContain('the last one\n\u001b[?25h')
})
