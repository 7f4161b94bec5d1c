import { existsSync } from 'node:fs'
import { createMemoryDedupe, type Dedupe } from '@formwire/webhook-verify/dedupe'
import { createReceiver } from '@formwire/webhook-verify/node'
import { describe, expect, it } from 'vitest'
import {
  type RehearsalEnvironment,
  type RehearseOptions,
  rehearse,
  type Schedule,
} from '../../src/rehearsal/index.ts'
import { deferred } from '../support/deferred.ts'
import { listens } from './listens.ts'
import { type Handle, handleOnce, rehearseReceiver } from './receiver.ts'

const played = (responses: Schedule['responses'], steps: Schedule['steps'] = []) => ({
  schedule: { version: 1, responses, steps } as const,
})

describe('a delivery without an answer', () => {
  it('[DLV-06] counts as refused when the program closes the connection', async () => {
    const handle: Handle = (delivery) =>
      delivery.id === 2 ? void delivery.response.destroy() : handleOnce(delivery)
    const { failure } = await rehearseReceiver(handle, played([{ at_ms: 0 }, { at_ms: 5 }, { at_ms: 9 }]))
    expect(failure).toMatchObject({
      verdict: 'lost',
      responseIds: [2],
      likely:
        'gives no answer to a delivery: an error in its handler may end the connection, or leave it open',
    })
  })

  const refuses: Handle = ({ response }) => void response.writeHead(500).end()
  const closes: Handle = ({ response }) => void response.destroy()
  it.each<[string, Handle, NonNullable<Schedule['responses'][number]['delivery']>]>([
    ['the answers are lost', refuses, [{ kind: 'fail-after', times: 6 }]],
    ['the answers would be lost', closes, [{ kind: 'fail-after', times: 6 }]],
    ['no attempt arrives', refuses, [{ kind: 'fail-before', times: 6 }]],
  ])('counts as nothing when %s', async (_what, handle, delivery) => {
    const { failure } = await rehearseReceiver(handle, played([{ at_ms: 0, delivery }]))
    expect(failure).toBeNull()
  })

  it('counts as nothing when the program is killed during the last attempt', async () => {
    const kill = { at_ms: 0, kind: 'kill', when: 'received', then_ms: 0, down_ms: 0 } as const
    const delivery = [{ kind: 'fail-before', times: 5 } as const]
    // The last attempt begins 12 hours and more after the first one: 52,560 ms.
    const schedule = played([{ at_ms: 10, delivery }, { at_ms: 53_000 }], [kill])
    const ids: number[] = []
    const { failure } = await rehearseReceiver((delivery) => {
      ids.push(delivery.id)
      return handleOnce(delivery)
    }, schedule)
    expect([ids, failure]).toEqual([[2], null])
  })

  const responding = (status: number) => (environment: RehearsalEnvironment) =>
    listens(environment.port, (_request, response) => response.writeHead(status).end())
  const exit = 'exit code 3: no configuration'
  const webhook = '/hooks'
  it.each<[string, Partial<RehearseOptions>, likely: string, end: string]>([
    ...[404, 405].map((status): [string, Partial<RehearseOptions>, string, string] => [
      `when the test event is answered with ${status}`,
      { webhook, clock: 'real', start: responding(status) },
      'has no route for POST at /hooks: is it the path that --webhook names?',
      `the program responded with ${status} to the test event at /hooks`,
    ]),
    [
      'when the program has ended before the first response',
      { webhook, clock: 'real', start: () => ({ ended: Promise.resolve(exit), kill: () => undefined }) },
      `ends by itself when it is started (${exit})`,
      `the program ended by itself before the first response: ${exit}`,
    ],
    [
      'of a program that was given no path for it, and reads nothing',
      { start: responding(200) },
      'waits for deliveries: name the path that it receives them at with --webhook',
      'the program listens, but has never called the API, and no path for deliveries was named',
    ],
    [
      'of a program that answers none',
      {
        webhook,
        start: ({ port }) => listens(port, (request) => request.socket.destroy()),
        ...played([{ at_ms: 0 }]),
      },
      'receives deliveries, but never answers one',
      'the program responded to no delivery, not even the test event',
    ],
  ])('makes the program not reachable %s', async (_what, options, likely, end) => {
    const { failure } = await rehearse({ handled: () => [], start: responding(200), ...options })
    expect(failure).toMatchObject({ verdict: 'not_reachable', detail: null, plays: 1, likely })
    expect(failure?.steps.at(-1)?.text).toBe(end)
  })
})

describe('a program that is said to have handled nothing', () => {
  it('is blamed only after the way in which it is asked', async () => {
    const { failure, passed } = await rehearseReceiver(() => undefined, { seed: 7, responses: 5 })
    expect([passed, failure?.verdict, failure?.plays]).toEqual([0, 'lost', 1])
    expect(failure?.likely).toContain('--handled (or --handled-url, or `handled`) named none in any run')
    expect(failure?.schedule.steps).toEqual([])
  })
})

describe('a claim that outlives a kill', () => {
  const kill = { at_ms: 0, kind: 'kill', when: 'received', then_ms: 20, down_ms: 0 } as const
  const killed = played([{ at_ms: 20 }, { at_ms: 90 }], [kill])

  it('[DLV-10] is over before the last attempt, on the manual clock', async () => {
    let dedupe: Dedupe | undefined
    const handled: number[] = []
    let isFirst = true
    const { failure, passed } = await rehearse({
      webhook: '/hooks',
      ...killed,
      handled: () => handled,
      async start({ port, webhookSecret: secret, clock }) {
        const isKilled = isFirst
        isFirst = false
        const now = (): number => clock.now()
        dedupe ??= createMemoryDedupe({ now })
        const receive = createReceiver({
          secret,
          now,
          dedupe,
          on: {
            'response.submitted': async ({ response }) => {
              if (isKilled) await new Promise(() => undefined)
              handled.push(response.id)
            },
          },
        })
        return listens(port, receive)
      },
    })
    expect([passed, failure]).toEqual([1, null])
  })

  // The kill waits for an attempt until the schedule is over. On a busy machine one can take long to arrive.
  const killedLater = played([{ at_ms: 20 }, { at_ms: 2000 }], [kill])

  /** Is killed while it handles a response, and then responds with 409 for so many real milliseconds, from the next attempt on. */
  const claims = (claimedMs: number): { handle: Handle; attempts: number[] } => {
    const attempts: number[] = []
    let until: number | undefined
    const handle: Handle = async (delivery) => {
      if (delivery.id === 2) return handleOnce(delivery)
      const now = performance.now()
      attempts.push(now)
      if (delivery.starts === 1) return await new Promise(() => undefined)
      until ??= now + claimedMs
      if (now < until) delivery.response.writeHead(409).end()
      else await handleOnce(delivery)
    }
    return { handle, attempts }
  }

  it('[DLV-10] is waited for in real time, with the pauses between attempts', async () => {
    const { handle, attempts } = claims(600)
    const { failure } = await rehearseReceiver(handle, { ...killedLater, clock: 'real' })
    expect(failure).toBeNull()
    const [, second = 0, third = 0] = attempts
    expect(third - second).toBeGreaterThan(200)
  })

  it('[DLV-10] leaves a response out of the verdict that is claimed for longer', async () => {
    const { handle, attempts } = claims(60_000)
    const { failure } = await rehearseReceiver(handle, { ...killedLater, clock: 'real' })
    expect(failure).toBeNull()
    expect(attempts.length).toBeLessThan(6)
  })

  it.each([409, 503])('[DLV-06] is none of what was first sent after it: %i', async (status) => {
    const handle: Handle = (delivery) =>
      delivery.starts === 1 && delivery.id !== 1
        ? handleOnce(delivery)
        : delivery.starts === 1
          ? new Promise(() => undefined)
          : void delivery.response.writeHead(status).end()
    const { failure } = await rehearseReceiver(handle, { ...killedLater, clock: 'real' })
    // The delivery of the first response was in flight at the kill.
    expect(failure).toMatchObject({ verdict: 'lost', responseIds: [2] })
  })

  it('[DLV-06] is none in a program that was never stopped: its attempts are used up', async () => {
    let attempts = 0
    const refuse: Handle = ({ response }) => {
      attempts += 1
      response.writeHead(409).end()
    }
    // In which a lost response is no failure, so that the run need not wait for it.
    const options = { clock: 'real', expect: 'at-most-once' } as const
    await rehearseReceiver(refuse, { ...played([{ at_ms: 20 }]), ...options })
    expect(attempts).toBe(6)
  })
})

describe('whether all responses must be handled', () => {
  const paused = played([{ at_ms: 10 }, { at_ms: 50 }], [{ at_ms: 0, kind: 'pause', for_ms: 30 }])
  /** Reads the list without handling what is in it. */
  const polls = (times: number) => async (environment: RehearsalEnvironment, signal: AbortSignal) => {
    const { baseUrl, apiKey, formId, clock } = environment
    for (let left = times; left > 0; left -= 1) {
      await fetch(`${baseUrl}/api/v1/forms/${formId}/responses`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      await clock.sleep(10_000, signal)
    }
  }

  it.each<[string, Partial<RehearseOptions>, ReturnType<typeof polls> | undefined, number[]]>([
    ['a receiver', {}, undefined, []],
    ['a receiver with complete', { complete: true }, undefined, [1]],
    ['a receiver that polls', {}, polls(1000), [1]],
    ['a receiver that polls, without complete', { complete: false }, polls(1000), []],
    ['a receiver that reads the list at its start', {}, polls(1), []],
  ])('[HOOK-07][POLL-01] is decided by what is seen of %s', async (_what, options, whileRunning, lost) => {
    const { failure } = await rehearseReceiver(handleOnce, { ...paused, ...options }, { whileRunning })
    expect(failure?.responseIds ?? []).toEqual(lost)
    if (options.complete) {
      expect(failure?.likely).toBe(
        'relies on deliveries alone: there is none while the endpoint is paused, so it must also read the list of responses',
      )
    }
  })
})

it('ends its steps with the verdict, also when a delivery is still open', async () => {
  const { promise: ended, resolve: end } = deferred<string>()
  const handle: Handle = () => {
    end('exit code 1')
    return new Promise(() => undefined)
  }
  const options = { ...played([{ at_ms: 0 }, { at_ms: 2000 }]), clock: 'real' } as const
  const { failure } = await rehearseReceiver(handle, options, { ended })
  expect(failure?.steps.at(-1)?.text).toBe('the program ended by itself: exit code 1')
})

it('waits longer for a second handling when the program is slow', async () => {
  const askedAt = new Map<string, number>()
  // Counted from when it is first asked, not from the delivery: on a busy machine the rehearsal would see less of the time.
  const handled = ({ directory }: RehearsalEnvironment) => {
    const now = performance.now()
    const begun = askedAt.get(directory) ?? now
    askedAt.set(directory, begun)
    return Array<number>(Math.min(2, Math.floor((now - begun) / 400))).fill(1)
  }
  const options = { ...played([{ at_ms: 0 }]), clock: 'real', handled } as const
  const { failure } = await rehearseReceiver(() => undefined, options)
  expect(failure).toMatchObject({ verdict: 'handled_twice' })
})

it('counts no pause of this process as time in which the program could have caught up', async () => {
  let asked = 0
  const handled = () => {
    asked += 1
    if (asked === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    return asked < 3 ? [] : [1]
  }
  const { failure } = await rehearseReceiver(() => undefined, { ...played([{ at_ms: 0 }]), handled })
  expect(failure).toBeNull()
})

describe('errors', () => {
  it('keeps the report and removes the folder when the program cannot be killed', async () => {
    let folder = ''
    const report = await rehearse({
      webhook: '/hooks',
      ...played([{ at_ms: 0 }]),
      handled: () => [1, 1],
      async start({ port, directory }) {
        folder = directory
        const { kill } = await listens(port, (_request, response) => response.writeHead(204).end())
        return { kill: () => kill().then(() => Promise.reject(new Error('Server is not running.'))) }
      },
    })
    expect(report.failure).toMatchObject({ verdict: 'handled_twice' })
    expect(existsSync(folder)).toBe(false)
  })

  it('closes everything when the endpoint cannot be created', async () => {
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const before = servers()
    await expect(rehearseReceiver(handleOnce, { webhook: '/a b', ...played([]) })).rejects.toThrow()
    await expect.poll(servers).toBe(before)
  })

  it.each<[string, unknown]>([
    ['"1"', '1'],
    ['1n', 1n],
    ['1.5', 1.5],
    ['null', null],
  ])('rejects when handled returns %s, which is no integer', async (shown, id) => {
    const handled = () => [id] as number[]
    const rehearsal = rehearseReceiver(handleOnce, { ...played([]), handled })
    await expect(rehearsal).rejects.toThrow(`handled must return integers, got ${shown}.`)
  })
})

it('reduces a schedule in real time only to one that breaks each time as well', async () => {
  let alone = 0
  /** By what each run has handled. */
  const breaks = new Map<readonly number[], boolean>()
  // With two responses it breaks each time; with one, every other time.
  const answer = (handled: readonly number[]): readonly number[] => {
    if (handled.length === 1 && !breaks.has(handled)) breaks.set(handled, alone++ % 2 === 0)
    return handled.length === 2 || breaks.get(handled) ? [...handled, 99] : handled
  }
  const options = { clock: 'real', runs: 1, responses: 2, only: [] } as const
  const report = await rehearseReceiver(handleOnce, options, { answer })
  expect(alone).toBeGreaterThan(1)
  expect(report).toMatchObject({ failed: 1, failure: { verdict: 'invented' } })
  expect(report.failure?.schedule.responses).toHaveLength(2)
})
