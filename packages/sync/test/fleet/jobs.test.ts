import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { formsToRead } from '../../src/fleet/jobs.ts'

const NOW = 1_795_253_400_000
beforeEach(() => vi.useFakeTimers({ now: NOW }))
afterEach(() => vi.useRealTimers())

const INTERVAL_MS = 1_000
const form = (id: string, roundsAgo: number, isMoved = false) => ({
  id,
  isMoved,
  turn: NOW - roundsAgo * INTERVAL_MS,
  swept: 0,
})
const read = (known: readonly ReturnType<typeof form>[], dead: readonly string[], room = 10) => {
  const settings = { intervalMs: INTERVAL_MS } as never
  const { moved, inTurn } = formsToRead(known, { dead: new Set(dead), room, settings })
  return [moved.map(({ id }) => id), inTurn.map(({ id }) => id)]
}

it('reads a form that has failed in the end every ten rounds, also if its count moves', () => {
  const forms = (roundsAgo: number) => [
    form('dead', roundsAgo, true),
    form('moved', 0, true),
    form('idle', 1),
  ]
  expect(read(forms(9.9), ['dead'])).toEqual([['moved'], ['idle']])
  expect(read(forms(10), ['dead'])).toEqual([['moved'], ['dead', 'idle']])
  expect(read(forms(10), [])).toEqual([['dead', 'moved'], ['idle']])
})

it('reads idle forms least recently read first, as many as there is room for, and one at least', () => {
  const forms = [form('a', 1), form('b', 3), form('c', 2), form('moved', 9, true), form('just read', 0.4)]
  expect(read(forms, [])).toEqual([['moved'], ['b', 'c', 'a']])
  expect(read(forms, [], 3)).toEqual([['moved'], ['b', 'c']])
  expect(read(forms, [], 0)).toEqual([['moved'], ['b']])
})
