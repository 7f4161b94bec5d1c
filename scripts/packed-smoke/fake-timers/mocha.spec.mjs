import assert from 'node:assert/strict'
import { makeQuestion, startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import sinon from 'sinon'
import waitsInRealTime from './scenario.cjs'

describe('sinon under Mocha', () => {
  afterEach(() => sinon.restore())

  it('fakes every timer except microtasks', () =>
    waitsInRealTime({ startFormwire, makeQuestion, Formwire }, () =>
      sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] }),
    ))

  it('is refused with a fake nextTick, before and after the start of the kit', async () => {
    const kit = await startFormwire()
    sinon.useFakeTimers()
    for (const wait of [
      () => startFormwire(),
      () => kit.waitForDelivery(),
      () => kit.server.clock.advance('1m'),
    ]) {
      await assert.rejects(wait(), { name: 'FakeTimersError' })
    }
    sinon.restore()
    await kit.close()
  })
})
