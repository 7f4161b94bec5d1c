import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchPageActivity } from '../../src/live/page-activity.ts'

const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', () => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('lets a page sleep that was opened in the background, and wakes it when it is shown', () => {
  const calls: string[] = []
  watchPageActivity({ sleep: () => calls.push('sleep'), wake: () => calls.push('wake') })
  vi.advanceTimersByTime(59_999)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(1)
  expect(calls).toEqual(['sleep'])
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(calls).toEqual(['sleep', 'wake'])
})
