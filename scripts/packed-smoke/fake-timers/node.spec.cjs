const { mock, test } = require('node:test')
const { makeQuestion, startFormwire } = require('@formwire/reference-server/testing')
const { Formwire } = require('@formwire/sdk')
const waitsInRealTime = require('./scenario.cjs')

test('node:test mocks every timer of CommonJS modules', async (t) => {
  t.after(() => mock.timers.reset())
  await waitsInRealTime({ startFormwire, makeQuestion, Formwire }, () => mock.timers.enable())
})
