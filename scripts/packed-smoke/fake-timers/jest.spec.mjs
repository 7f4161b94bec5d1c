import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { afterEach, jest, test } from '@jest/globals'
import waitsInRealTime from './scenario.cjs'

const kit = { startFormwire, makeQuestion, Formwire }
afterEach(() => jest.useRealTimers())

test('jest fakes every timer of ES modules', () => waitsInRealTime(kit, () => jest.useFakeTimers()))
test('jest fakes timers of ES modules the legacy way', () =>
  waitsInRealTime(kit, () => jest.useFakeTimers({ legacyFakeTimers: true })))
