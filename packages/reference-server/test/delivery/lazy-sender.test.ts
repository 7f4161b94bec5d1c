import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { lazySender } from '../../src/delivery/lazy-sender.ts'
import type { AttemptResult, Sender, SenderSettings } from '../../src/delivery/sender.ts'

const SETTINGS: SenderSettings = {
  rules: 'development',
  hostOverrides: new Map(),
  resolve: async () => [],
  timeoutMs: 1000,
}
const REQUEST = { url: 'http://127.0.0.1/', headers: [], body: new Uint8Array() }
const DELIVERED: AttemptResult = { httpStatus: 200, error: null, receiverAnswer: '' }
const RESET: AttemptResult = { httpStatus: null, error: 'reset', receiverAnswer: null }

/** What the answer of an attempt says that waited for the loading. */
const late = (answer: AttemptResult, waitedMs: number): AttemptResult => ({ ...answer, waitedMs })

/** A sender whose loading ends when the test says how, each time that it is tried. */
function lateSender() {
  const loads: { succeed: () => void; fail: (cause: Error) => void }[] = []
  const reported: unknown[] = []
  const calls: string[] = []
  const real: Sender = {
    send: (_request, done) => queueMicrotask(() => done(DELIVERED)),
    abandonAll: () => calls.push('abandonAll'),
    close: async () => {
      calls.push('close')
    },
  }
  const load = () =>
    new Promise<Sender>((resolve, reject) => loads.push({ succeed: () => resolve(real), fail: reject }))
  const clock = { now: 0 }
  const sender = lazySender({
    settings: SETTINGS,
    report: (cause) => reported.push(cause),
    elapsed: () => clock.now,
    load,
  })
  const answers: AttemptResult[] = []
  return {
    sender,
    clock,
    loads,
    reported,
    calls,
    answers,
    send: () => sender.send(REQUEST, (a) => answers.push(a)),
  }
}

describe('a lazy sender', () => {
  it('loads once for all waiting attempts, then sends them', async () => {
    const { send, loads, answers, clock } = lateSender()
    send()
    clock.now = 30
    send()
    await turn()
    expect(answers).toEqual([])
    expect(loads).toHaveLength(1)
    clock.now = 100
    loads[0]?.succeed()
    await turn()
    send()
    await turn()
    expect(answers).toEqual([late(DELIVERED, 100), late(DELIVERED, 70), DELIVERED])
    expect(loads).toHaveLength(1)
  })

  it('[DLV-06] fails waiting attempts when loading fails, reports the cause once, and loads again for the next attempt', async () => {
    const { send, loads, answers, reported } = lateSender()
    send()
    send()
    const cause = new Error('EMFILE')
    loads[0]?.fail(cause)
    await turn()
    const neverSent = { httpStatus: null, error: 'protocol', receiverAnswer: null }
    expect(answers).toEqual([neverSent, neverSent])
    expect(reported).toEqual([cause])
    send()
    loads[1]?.succeed()
    await turn()
    expect(answers[2]).toEqual(late(DELIVERED, 0))
  })

  it('sends attempts made after abandonAll, and none that waited before it', async () => {
    const { sender, send, loads, answers } = lateSender()
    send()
    sender.abandonAll()
    send()
    loads[0]?.succeed()
    await turn()
    expect(answers).toEqual([RESET, late(DELIVERED, 0)])
  })

  it('closes a sender that is being loaded, and nothing if it failed or was never needed', async () => {
    const loading = lateSender()
    loading.send()
    const closed = loading.sender.close()
    loading.loads[0]?.succeed()
    await closed
    expect(loading.answers).toEqual([RESET])
    expect(loading.calls).toEqual(['close'])

    const failing = lateSender()
    failing.send()
    const closedToo = failing.sender.close()
    failing.loads[0]?.fail(new Error('EMFILE'))
    await closedToo
    expect(failing.calls).toEqual([])

    const idle = lateSender()
    await idle.sender.close()
    expect(idle.loads).toEqual([])
  })
})
