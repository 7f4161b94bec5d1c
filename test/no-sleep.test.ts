import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ownTimers } from './support/own-timers.ts'

it('records a timer of a test that waits, however it is started', async () => {
  await sleep(1)
  await new Promise((resolve) => setTimeout(resolve, 1))
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(ownTimers.splice(0).length).toBe(2)
})
