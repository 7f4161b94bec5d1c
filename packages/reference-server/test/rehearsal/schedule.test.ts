import type { RehearsalProfile } from '@formwire/internal/rehearsal-kinds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schedulesOf as schedules } from '../../src/rehearsal/draw.ts'
import { type DeliveryTrouble, readSchedule, type Schedule } from '../../src/rehearsal/schedule.ts'
import { kindsOf, shrink, withoutKind } from '../../src/rehearsal/shrink.ts'

describe('readSchedule', () => {
  // Of what it accepts, those that are drawn have all.
  const schedule: Schedule = { version: 1, responses: [], steps: [] }
  const responses = (response: object, count = 1) => ({
    responses: Array(count).fill({ at_ms: 0, ...response }),
  })
  const steps = (step: object, count = 1) => ({ steps: Array(count).fill({ at_ms: 0, ...step }) })
  it.each<[message: string, given: object | null]>([
    ['schedule.version must be 1, got 2.', { version: 2 }],
    ['schedule must be an object, got null.', null],
    ['schedule.responses must be an array, got {}.', { responses: {} }],
    ['schedule.responses[0].at_ms must be an integer from 0 to 600000, got -1.', responses({ at_ms: -1 })],
    [
      'schedule.responses[0] must be an object with at_ms, delivery, same_instant, draft_ms, delete_ms, got "late".',
      responses({ late: 1 }),
    ],
    [
      'schedule.responses[0].delivery[0].kind must be one of "duplicate", "delay", "reorder", "replay", "fail-before", "fail-after", "timeout", got "lost".',
      responses({ delivery: [{ kind: 'lost' }] }),
    ],
    [
      'schedule.steps[0].for_ms must be an integer from 0 to 600000, got "long".',
      steps({ kind: 'pause', for_ms: 'long' }),
    ],
    [
      'schedule.responses[0].delivery[0].times must be an integer from 1 to 6, got 0.',
      responses({ delivery: [{ kind: 'fail-before', times: 0 }] }),
    ],
    [
      'schedule.steps must be bursts of at most 10000 responses in all, got 11000.',
      steps({ kind: 'burst', count: 1000 }, 11),
    ],
    [
      'schedule.timestamps must be one of "milliseconds", "seconds", "microseconds", "offset", got "minutes".',
      { timestamps: 'minutes' },
    ],
    ['schedule.responses must be an array of at most 1000 items, got 1001.', responses({}, 1001)],
  ])('refuses what is wrong by its path: %s', (message, given) => {
    expect(() => readSchedule(given && { ...schedule, ...given })).toThrow(message)
  })
})

describe('schedules', () => {
  it('draws schedules that can be kept and read again', () => {
    fc.assert(
      fc.property(schedules(fc, { responses: 30, profile: 'harsh' }), (schedule) => {
        expect(readSchedule(JSON.parse(JSON.stringify(schedule)))).toEqual(schedule)
        expect(schedule.responses).toHaveLength(30)
        const times = schedule.responses.map(({ at_ms }) => at_ms)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
      }),
    )
  })

  it('draws only the kinds that may happen', () => {
    const only = schedules(fc, { kinds: ['delete', 'kill'], profile: 'harsh' })
    const drawn = new Set(fc.sample(only, { seed: 1, numRuns: 100 }).flatMap((one) => [...kindsOf(one)]))
    expect(drawn).toEqual(new Set(['delete', 'kill']))
  })

  it('disturbs no deliveries of a program without an endpoint', () => {
    const polled = schedules(fc, { webhook: false, profile: 'harsh' })
    const drawn = fc.sample(polled, { seed: 1, numRuns: 100 }).flatMap((one) => [...kindsOf(one)])
    expect([...new Set(drawn)].sort().join(' ')).toBe(
      'api-429 api-500 api-reset api-slow burst delete draft kill outage same-instant terminate',
    )
  })

  it('[POLL-01] draws more responses than fit on a page for a program without an endpoint, and no others', () => {
    const bursts = (webhook: boolean) =>
      fc
        .sample(schedules(fc, { webhook }), { seed: 1, numRuns: 50 })
        .flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'burst' ? step.count : [])))
    expect(bursts(true)).toEqual([])
    expect(bursts(false).length).toBeGreaterThan(10)
    expect(Math.min(...bursts(false))).toBeGreaterThan(25)
    expect(Math.max(...bursts(false))).toBeGreaterThan(100)
  })

  it('[ENV-05] draws other formats of timestamps than the usual one for some, unless little shall happen', () => {
    const formats = (profile: RehearsalProfile) => {
      const drawn = fc.sample(schedules(fc, { kinds: [], profile }), { seed: 1, numRuns: 200 })
      return drawn.map(({ timestamps = 'usual' }) => timestamps)
    }
    for (const profile of ['normal', 'harsh'] as const) {
      expect(new Set(formats(profile))).toEqual(new Set(['usual', 'seconds', 'microseconds', 'offset']))
      expect(formats(profile).filter((format) => format === 'usual').length).toBeGreaterThan(100)
    }
    expect(new Set(formats('gentle'))).toEqual(new Set(['usual']))
  })

  it.each<[message: string, draw: () => unknown]>([
    ['Unknown kind "killed"; did you mean "kill"?', () => schedules(fc, { kinds: ['killed'] as never })],
    ['Unknown option "kind"; did you mean "kinds"?', () => schedules(fc, { kind: [] } as never)],
    ['schedules expects fast-check as its first argument.', () => schedules(undefined as never)],
  ])('refuses what it cannot draw from: %s', (message, draw) => {
    expect(draw).toThrow(message)
  })

  it('draws the same schedules from the same seed', () => {
    const draw = (seed: number): Schedule[] => fc.sample(schedules(fc), { seed, numRuns: 5 })
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })
})

const plain = (given: Partial<Schedule> = {}): Schedule => ({
  version: 1,
  responses: [{ at_ms: 0 }],
  steps: [],
  ...given,
})

/** Reduces a schedule as long as it breaks. */
const shrunk = (schedule: Schedule, breaks: (schedule: Schedule) => boolean): Promise<Schedule> =>
  shrink(
    schedule,
    async (one) => breaks(one),
    () => false,
  )

describe('shrink', () => {
  const sample = (seed: number): Schedule => {
    const [schedule] = fc.sample(schedules(fc, { profile: 'harsh' }), { seed, numRuns: 1 })
    return schedule as Schedule
  }
  const hasKill = (schedule: Schedule): boolean => kindsOf(schedule).has('kill')

  it('keeps nothing but what breaks the program', async () => {
    const breaking = fc.sample(schedules(fc, { profile: 'harsh' }), { seed: 1, numRuns: 50 }).filter(hasKill)
    expect(breaking.length).toBeGreaterThan(5)
    for (const schedule of breaking) {
      const smallest = await shrunk(schedule, (one) => hasKill(one) && one.responses.length > 0)
      expect(smallest.responses).toEqual([{ at_ms: 0 }])
      expect(smallest.steps).toHaveLength(1)
    }
  })

  it('tells before each try how many there were, and about how many there will be', async () => {
    const schedule = plain({ responses: [{ at_ms: 0 }, { at_ms: 5 }, { at_ms: 10 }] })
    const seen: [tries: number, about: number][] = []
    const hasTwo = async ({ responses }: Schedule) => responses.length >= 2
    await shrink(
      schedule,
      hasTwo,
      () => false,
      (...tried) => seen.push(tried),
    )
    expect(seen.map(([tries]) => tries)).toEqual(seen.map((_, at) => at))
    expect(seen[0]).toEqual([0, 5])
    expect(seen.at(-1)).toEqual([seen.length - 1, seen.length])
  })

  it('[DLV-08] prefers a delivery that comes again later to a replay, and to two at the same time', async () => {
    const withDelivery = (delivery: DeliveryTrouble): Schedule =>
      plain({ responses: [{ at_ms: 0, delivery: [delivery] }] })
    const again = withDelivery({ kind: 'duplicate', after_ms: 100 })
    for (const delivery of [
      { kind: 'replay', after_ms: 20 },
      { kind: 'duplicate', after_ms: 0 },
    ] as const) {
      const smallest = await shrunk(withDelivery(delivery), ({ responses }) => !!responses[0]?.delivery)
      expect(smallest).toEqual(again)
    }
  })

  it('stops the program at a moment of its work rather than at a time', async () => {
    const kill = { kind: 'kill', down_ms: 5 } as const
    const schedule = plain({ steps: [{ ...kill, at_ms: 14, when: 'now', then_ms: 3 }] })
    const { steps } = await shrunk(schedule, ({ steps }) =>
      steps.some((one) => 'when' in one && (one.when === 'acknowledged' || one.at_ms === 14)),
    )
    expect(steps).toEqual([{ ...kill, at_ms: 0, when: 'acknowledged', then_ms: 0 }])
  })

  it('submits fewer responses at once', async () => {
    const schedule = plain({ steps: [{ at_ms: 0, kind: 'burst', count: 100 }] })
    const { steps } = await shrunk(schedule, ({ steps }) =>
      steps.some((one) => 'count' in one && one.count > 25),
    )
    expect(steps).toEqual([{ at_ms: 0, kind: 'burst', count: 50 }])
  })

  it('[ENV-05] keeps a format of timestamps only when it is what breaks the program', async () => {
    const schedule = plain({
      responses: [
        { at_ms: 20, same_instant: true },
        { at_ms: 30, draft_ms: 9 },
      ],
      steps: [{ at_ms: 25, kind: 'outage', for_ms: 50 }],
      timestamps: 'offset',
    })
    const hasResponses = ({ responses }: Schedule): boolean => responses.length > 0
    expect(await shrunk(schedule, hasResponses)).toEqual(plain())
    const smallest = await shrunk(schedule, (one) => hasResponses(one) && one.timestamps === 'offset')
    expect(smallest).toEqual(plain({ timestamps: 'offset' }))
  })

  it('stops when its time is over', async () => {
    const schedule = sample(2)
    let runs = 0
    const smallest = await shrink(
      schedule,
      async () => {
        runs += 1
        return false
      },
      () => runs === 3,
    )
    expect([smallest, runs]).toEqual([schedule, 3])
  })

  it('removes a kind wherever it is', () => {
    for (const schedule of fc.sample(schedules(fc, { profile: 'harsh' }), { seed: 3, numRuns: 50 })) {
      for (const kind of kindsOf(schedule)) {
        const without = withoutKind(schedule, kind)
        expect(kindsOf(without).has(kind), `${kind} in ${JSON.stringify(schedule)}`).toBe(false)
        expect(without.timestamps).toBe(schedule.timestamps)
      }
    }
  })
})
