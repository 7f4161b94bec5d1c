const { makeQuestion, startFormwire } = require('@formwire/reference-server/testing')
const { Formwire } = require('@formwire/sdk')
const waitsInRealTime = require('./scenario.cjs')

const kit = { startFormwire, makeQuestion, Formwire }
afterEach(() => jest.useRealTimers())

test('jest fakes every timer', () => waitsInRealTime(kit, () => jest.useFakeTimers()))
test('jest fakes timers the legacy way', () =>
  waitsInRealTime(kit, () => jest.useFakeTimers({ legacyFakeTimers: true })))
