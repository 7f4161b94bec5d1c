import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type {
  RehearsalEnvironment,
  RehearsalReport,
  RehearseOptions,
  Schedule,
} from '../../src/rehearsal/index.ts'
import { type Handle, rehearseReceiver } from './receiver.ts'

/** What the program under test has seen, in order. Times are those of the schedule. */
interface Seen {
  /** Attempts, with the number of the delivery that they belong to. */
  readonly attempts: { readonly id: number; readonly delivery: number; readonly at: number }[]
  /** Connections that were closed before they were answered. */
  unanswered: number
  /** How the program was stopped. */
  readonly stops: ('kill' | 'stop')[]
  readonly secrets: string[]
  /** What came of each request of the list: the ids, or the status or error. */
  readonly reads: { readonly at: number; readonly lastsMs: number; readonly what: unknown }[]
  /** Of the responses, as last read. */
  rows: { readonly id: number; readonly status: string; readonly submitted_at: string | null }[]
}

interface Program {
  /** The list that it reads. */
  readonly polls?: 'submitted' | 'in_progress'
  /** Whether it leaves the first attempt without a response until the connection closes. */
  readonly hangs?: boolean
}

/** Plays a schedule with a receiver that handles each response once, or with a program that reads the list. */
async function play(
  given: Partial<Schedule>,
  { polls, hangs = false }: Program = {},
  options: Partial<RehearseOptions> = {},
): Promise<Seen & { readonly report: RehearsalReport }> {
  const seen: Seen = { attempts: [], unanswered: 0, stops: [], secrets: [], reads: [], rows: [] }
  const deliveries: string[] = []
  const handled = new Set<number>()
  const [speed, pauseMs] = options.clock === 'real' ? [1, 10] : [1000, 10_000]
  let at = (): number => 0
  const handle: Handle = async ({ id, deliveryId, response }) => {
    if (!deliveries.includes(deliveryId)) deliveries.push(deliveryId)
    seen.attempts.push({ id, delivery: deliveries.indexOf(deliveryId) + 1, at: at() })
    handled.add(id)
    if (hangs && seen.attempts.length === 1) await once(response, 'close')
    if (response.destroyed) seen.unanswered += 1
  }
  const whileRunning = async (environment: RehearsalEnvironment, signal: AbortSignal): Promise<void> => {
    const { baseUrl, apiKey, formId, webhookSecret, clock } = environment
    if (seen.secrets.push(webhookSecret) === 1) {
      const begun = clock.now()
      at = () => Math.round((clock.now() - begun) / speed)
    }
    const url = `${baseUrl}/api/v1/forms/${formId}/responses?status=${polls}`
    const read = async (): Promise<unknown> => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
      const retryAfter = response.headers.get('retry-after')
      if (!response.ok) return `${response.status}${retryAfter ? ` after ${retryAfter}` : ''}`
      const { data } = (await response.json()) as { data: Seen['rows'] }
      seen.rows = data
      for (const { id, submitted_at } of data) if (submitted_at !== null) handled.add(id)
      return data.map(({ id }) => id)
    }
    for (; polls; await clock.sleep(pauseMs, signal)) {
      const from = at()
      const what = await read().catch((error: Error) => error.name)
      seen.reads.push({ at: from, lastsMs: at() - from, what })
    }
  }
  const schedule: Schedule = { version: 1, responses: [{ at_ms: 0 }], steps: [], ...given }
  const report = await rehearseReceiver(
    handle,
    { schedule, handled: () => handled, ...(polls && { webhook: undefined }), ...options },
    { whileRunning, onStop: (how) => seen.stops.push(how) },
  )
  return { ...seen, report }
}

const REAL = { clock: 'real' } as const
const one = (...delivery: NonNullable<Schedule['responses'][number]['delivery']>) => ({
  responses: [{ at_ms: 0, delivery }],
})

describe('what happens to deliveries', () => {
  it.each(['manual', 'real'] as const)(
    '[DLV-08] includes a replay that begins after the last step, on the %s clock',
    async (clock) => {
      const { attempts } = await play(one({ kind: 'replay', after_ms: 400 }), {}, { clock })
      expect(attempts.map(({ id, delivery }) => `${id}.${delivery}`)).toEqual(['1.1', '1.2'])
    },
  )

  // The manual clock: a minute is 60 ms of the schedule. Attempts are written as response, delivery and time.
  it.each<[string, Partial<Schedule>, string[]]>([
    ['nothing', {}, ['1.1 at 0']],
    ['duplicate', one({ kind: 'duplicate', after_ms: 0 }), ['1.1 at 0', '1.1 at 0']],
    ['delay', one({ kind: 'delay', for_ms: 20 }), ['1.1 at 60']],
    ['reorder', one({ kind: 'reorder' }), ['1.1 at 60']],
    ['replay', one({ kind: 'replay', after_ms: 30 }), ['1.1 at 0', '1.2 at 30']],
    ['fail-before', one({ kind: 'fail-before', times: 2 }), ['1.1 at 360']],
    ['fail-after', one({ kind: 'fail-after', times: 2 }), ['1.1 at 0', '1.1 at 60', '1.1 at 360']],
    ['outage', { steps: [{ at_ms: 0, kind: 'outage', for_ms: 40 }] }, ['1.1 at 60']],
    [
      'pause',
      { responses: [{ at_ms: 10 }, { at_ms: 30 }], steps: [{ at_ms: 0, kind: 'pause', for_ms: 20 }] },
      ['2.1 at 30'],
    ],
  ])('[DLV-06][DLV-08] %s', async (_kind, schedule, expected) => {
    const { attempts, report } = await play(schedule)
    expect(attempts.map(({ id, delivery, at }) => `${id}.${delivery} at ${at}`)).toEqual(expected)
    expect(report.failure).toBeNull()
  })

  it('[DLV-05] timeout: closes the connection before the program answers, and tries again', async () => {
    const schedule = one({ kind: 'timeout', after_ms: 2000 })
    const { attempts, unanswered } = await play(schedule, { hangs: true })
    expect([attempts.map(({ at }) => at), unanswered]).toEqual([[0, 60], 1])
  })

  it('delay: holds an attempt back in real time', async () => {
    const schedule = {
      responses: [{ at_ms: 0, delivery: [{ kind: 'delay', for_ms: 500 } as const] }, { at_ms: 0 }],
    }
    const { attempts } = await play(schedule, {}, REAL)
    expect(attempts.map(({ id }) => id)).toEqual([2, 1])
  })

  it('reorder: holds an attempt back until another one has arrived', async () => {
    // Both at once, since it is held back for 400 ms at most, and after one that loads what a delivery needs.
    const responses = [
      { at_ms: 0 },
      { at_ms: 1500, delivery: [{ kind: 'reorder' } as const] },
      { at_ms: 1500 },
    ]
    const { attempts } = await play({ responses }, {}, REAL)
    expect(attempts.map(({ id }) => id)).toEqual([1, 3, 2])
  })
})

describe('what happens to the program', () => {
  const stopped = (kind: 'kill' | 'terminate', when: 'now' | 'received' | 'acknowledged') =>
    ({ at_ms: 0, kind, when, then_ms: 0, down_ms: 0 }) as const

  it.each([
    ['kill', ['kill', 'stop']],
    ['terminate', ['stop', 'stop']],
  ] as const)('%s: stops it, and starts it again with the same secret', async (kind, stops) => {
    const seen = await play({ steps: [stopped(kind, 'now')], responses: [{ at_ms: 10 }] })
    expect(seen.stops).toEqual(stops)
    expect(new Set(seen.secrets).size).toBe(1)
    expect(seen.attempts).toHaveLength(1)
  })

  // The stop waits for its moment until the schedule is over.
  const responses = [{ at_ms: 10 }, { at_ms: 100 }]

  it.each([
    ['when a delivery reaches the program, which is then repeated', 'received', [70, 100]],
    ['after the program has acknowledged a delivery, which is not repeated', 'acknowledged', [10, 100]],
  ] as const)('kill: comes %s', async (_what, when, times) => {
    const { attempts, stops } = await play({ responses, steps: [stopped('kill', when)] })
    expect(attempts.map(({ id, at }) => [id, at])).toEqual(times.map((at, index) => [index + 1, at]))
    expect(stops).toEqual(['kill', 'stop'])
  })

  it('kill: comes with an attempt that arrives after the last moment of the schedule', async () => {
    const { stops } = await play({ responses: [{ at_ms: 0 }], steps: [stopped('kill', 'acknowledged')] })
    expect(stops).toEqual(['kill', 'stop'])
  })

  it('[HOOK-08] rotate: starts it again with another secret', async () => {
    const { secrets, stops } = await play({ steps: [{ at_ms: 0, kind: 'rotate' }] })
    expect(stops).toEqual(['stop', 'stop'])
    expect(new Set(secrets).size).toBe(2)
  })
})

describe('what happens to responses', () => {
  it('[RESP-04] delete: a response is no longer in the list', async () => {
    const schedule = { responses: [{ at_ms: 20, delete_ms: 20 }, { at_ms: 60 }] }
    const { reads } = await play(schedule, { polls: 'submitted' })
    expect(new Set(reads.map(({ what }) => JSON.stringify(what)))).toEqual(new Set(['[]', '[1]', '[2]']))
  })

  it('[RESP-01] draft: a response is a draft for a while, or stays one', async () => {
    const responses = [
      { at_ms: 20, draft_ms: null },
      { at_ms: 40, draft_ms: 20 },
    ]
    const read = async (polls: 'submitted' | 'in_progress') => {
      const { reads } = await play({ responses: [...responses, { at_ms: 80 }] }, { polls })
      return [...new Set(reads.map(({ what }) => JSON.stringify(what)))]
    }
    expect(await read('in_progress')).toEqual(['[]', '[1]', '[2,1]'])
    expect(await read('submitted')).toEqual(['[]', '[2]', '[3,2]'])
  })

  it('[RESP-02] same-instant: two responses have the same submitted_at', async () => {
    const timesOf = async (second: Schedule['responses'][number]) => {
      const { rows } = await play({ responses: [{ at_ms: 0 }, second] }, { polls: 'submitted' })
      return rows.map(({ submitted_at }) => submitted_at)
    }
    const [apart, tied] = [await timesOf({ at_ms: 9 }), await timesOf({ at_ms: 9, same_instant: true })]
    expect([new Set(apart).size, new Set(tied).size]).toEqual([2, 1])
  })
})

describe('what happens to requests of the API', () => {
  const at = { at_ms: 20, for_ms: 500 }
  it.each<[string, Schedule['steps'][number], unknown]>([
    ['api-429', { ...at, kind: 'api-429' }, '429 after 1'],
    ['api-500', { ...at, kind: 'api-500' }, '500'],
    ['outage', { ...at, kind: 'outage' }, 'TypeError'],
    ['api-reset before', { ...at, kind: 'api-reset', how: 'before' }, 'TypeError'],
    ['api-reset unanswered', { ...at, kind: 'api-reset', how: 'unanswered' }, 'TypeError'],
    ['api-reset middle', { ...at, kind: 'api-reset', how: 'middle' }, 'TypeError'],
    ['api-reset truncated', { ...at, kind: 'api-reset', how: 'truncated' }, 'SyntaxError'],
  ])('[ERR-05] %s: fails them for a while', async (_kind, step, expected) => {
    const { reads, report } = await play(
      { steps: [step], responses: [{ at_ms: 600 }] },
      { polls: 'submitted' },
    )
    const failed = reads.filter(({ what }) => !Array.isArray(what))
    expect(failed.length).toBeGreaterThan(1)
    expect(failed.map(({ what }) => what)).toEqual(failed.map(() => expected))
    expect(failed.every((read) => read.at >= 20 && read.at <= 520)).toBe(true)
    expect(report.failure).toBeNull()
  })

  it('api-slow: answers them late', async () => {
    // So long that a read begins meanwhile on a busy machine, too.
    const step = { kind: 'api-slow', at_ms: 20, for_ms: 1000 } as const
    const { reads } = await play(
      { steps: [step], responses: [{ at_ms: 1050 }] },
      { polls: 'submitted' },
      REAL,
    )
    expect(Math.max(...reads.map(({ lastsMs }) => lastsMs))).toBeGreaterThanOrEqual(990)
  })
})
