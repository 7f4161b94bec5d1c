import { afterEach, expect } from 'vitest'
import { ownTimers } from './own-timers.ts'

/** Setup of the quick test files: a test that sleeps depends on the speed of the machine. */
afterEach(() => {
  expect(ownTimers.splice(0), 'timers that the test started').toEqual([])
})
