import { describe, expect, it } from 'vitest'
import type { RehearsalEnvironment, RehearseOptions } from '../../src/rehearsal/index.ts'
import { rehearse } from '../../src/rehearsal/index.ts'
import { listens } from './listens.ts'
import { type Handle, handleOnce, rehearseReceiver } from './receiver.ts'

/** Handles what has another delivery id than all before. */
const handleEachDelivery: Handle = ({ id, deliveryId, handled, remembered }) => {
  if (remembered.has(deliveryId)) return
  remembered.add(deliveryId)
  handled.push(id)
}

describe('rehearse', () => {
  it('[DLV-06][DLV-10] finds nothing wrong with a receiver that handles each response once', async () => {
    const report = await rehearseReceiver(handleOnce, { runs: 8 })
    expect(report).toEqual({ seed: 1, runs: 8, passed: 8, failed: 0, flaky: 0, failure: null })
  })

  it('[DLV-08] tells the shortest story of a receiver that deduplicates by delivery id', async () => {
    const report = await rehearseReceiver(handleEachDelivery)
    expect(report).toMatchObject({ failed: 1, failure: { verdict: 'handled_twice', responseIds: [1] } })
    const { likely, schedule, steps } = report.failure ?? {}
    expect(likely).toBe('deduplicates by delivery id: a replay has a new one')
    expect(schedule).toEqual({
      version: 1,
      responses: [{ at_ms: 0, delivery: [{ kind: 'replay', after_ms: expect.any(Number) }] }],
      steps: [],
    })
    expect(steps?.map(({ text }) => text)).toEqual([
      'response 1 is submitted',
      'the delivery of response 1 reaches the program',
      'the program responds with 204 to the delivery of response 1',
      'the delivery of response 1 is replayed, with a new delivery id',
      'the replay of response 1 reaches the program',
      'the program responds with 204 to the replay of response 1',
      'response 1 was handled more than once',
    ])
  })

  it('goes the same way each time', async () => {
    const options = { seed: 5, responses: 5 }
    const first = await rehearseReceiver(handleEachDelivery, options)
    const second = await rehearseReceiver(handleEachDelivery, options)
    expect(first.failure).not.toBeNull()
    expect(second).toEqual(first)
  })

  it('ends after the current run when it is aborted', async () => {
    const stop = new AbortController()
    const report = await rehearseReceiver(handleOnce, {
      signal: stop.signal,
      onProgress: ({ passed }) => {
        if (passed === 2) stop.abort()
      },
    })
    expect(report).toMatchObject({ passed: 2, failed: 0, failure: null })
  })

  it.each<[Partial<RehearseOptions>, string]>([
    [{ start: undefined as never }, 'start must be a function.'],
    [{ handled: undefined as never }, 'handled must be a function.'],
    [{ runs: 0 }, 'runs must be an integer from 1 to 1000000, got 0.'],
    [{ responses: 1001 }, 'responses must be an integer from 1 to 1000, got 1001.'],
    [{ only: ['kil' as 'kill'] }, 'Unknown kind "kil"; did you mean "kill"?'],
    [{ profile: 'harsher' as 'harsh' }, 'Unknown profile "harsher"; did you mean "harsh"?'],
    [{ webhook: 'webhooks' }, 'webhook must be a path that begins with /, got "webhooks".'],
    [
      { schedule: { version: 1, responses: [], steps: {} } as never },
      'schedule.steps must be an array, got {}.',
    ],
    [{ expects: 'exactly-once' } as never, 'Unknown option "expects"; did you mean "expect"?'],
  ])('refuses %j', async (options, message) => {
    await expect(rehearseReceiver(() => undefined, options)).rejects.toThrow(message)
  })
})

describe('a run that breaks', () => {
  /** A program whose plays end with these ids handled, over and over. */
  const playing = (...plays: readonly (readonly number[])[]) => {
    let starts = 0
    const options = {
      responses: 1,
      only: ['delay'],
      handled: () => plays[(starts - 1) % plays.length] ?? [],
      async start({ port }: RehearsalEnvironment) {
        starts += 1
        return listens(port, (_request, response) => response.writeHead(204).end())
      },
    } as const
    return { webhook: '/hooks', ...options }
  }

  it('is flaky when it does not break each time, and the third of these ends the rehearsal', async () => {
    const report = await rehearse({ ...playing([1, 1], [1]), runs: 20 })
    expect(report).toMatchObject({ passed: expect.any(Number), failed: 0, flaky: 3 })
    expect(report.runs).toBeLessThan(20)
    expect(report.failure).toMatchObject({ verdict: 'handled_twice', rate: 2 / 3 })
  })

  it('is flaky when it breaks in another way each time', async () => {
    const { failed, flaky, failure } = await rehearse({ ...playing([1, 1], [9], [9]), runs: 1 })
    expect([failed, flaky]).toEqual([0, 1])
    expect(failure).toMatchObject({ verdict: 'handled_twice', rate: 1 / 3 })
  })

  it('fails when it breaks in the same way each time', async () => {
    const report = await rehearse({ ...playing([1, 1]), runs: 20 })
    expect(report).toMatchObject({ runs: 1, failed: 1, flaky: 0, failure: { rate: 1 } })
  })
})
