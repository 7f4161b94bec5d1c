import { mock, test } from 'node:test'
import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import waitsInRealTime from './scenario.cjs'

test('node:test mocks every timer', async (t) => {
  t.after(() => mock.timers.reset())
  await waitsInRealTime({ startFormwire, makeQuestion, Formwire }, () => mock.timers.enable())
})
