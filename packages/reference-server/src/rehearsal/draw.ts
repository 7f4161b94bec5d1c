import {
  KIND_NAMES,
  PROFILES,
  type RehearsalKind,
  type RehearsalProfile,
} from '@formwire/internal/rehearsal-kinds'
import type FastCheck from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describeUnknown, namesOf, OptionError, refuseUnknownOptions } from '../known-names.ts'
import { UNSPECIFIED } from '../unspecified.ts'
import {
  type DeliveryTrouble,
  type Schedule,
  type ScheduledResponse,
  type ScheduledStep,
  TROUBLES,
} from './schedule.ts'

/** Options of `schedules`: what schedules are drawn from. */
export interface DrawOptions {
  /** Number of responses of each schedule. @default 20 */
  readonly responses?: number | undefined
  /** The kinds that may happen. @default all */
  readonly kinds?: readonly RehearsalKind[] | undefined
  /** How much happens: see `profile` of `rehearse`. @default 'normal' */
  readonly profile?: RehearsalProfile | undefined
  /** Whether the program has an endpoint, so that its deliveries can be disturbed. @default true */
  readonly webhook?: boolean | undefined
}

/** Of deliveries. */
const DELIVERY_KINDS: ReadonlySet<string> = new Set([...Object.keys(TROUBLES), 'pause', 'rotate'])
/** How much more likely a stop of the program is than another step. */
const STOP_WEIGHT = 4
/** Of ten schedules of a program that polls, how many have more new responses at once than fit on a page. */
const FLOODED_OF_TEN = 5
/** The usual format of timestamps, and those of other deployments. */
const [USUAL, ...OTHERS] = UNSPECIFIED.timestamps
/** Of ten schedules, how many have the usual format. */
const USUAL_OF_TEN = 7
/** The default page has 25, the largest one 100. */
const FLOOD = { min: 30, max: 120 }
const LONGEST_GAP_MS = 50
/** So that responses have different times where they must. */
const SHORTEST_GAP_MS = 3

const OPTIONS = namesOf<DrawOptions>({ responses: true, kinds: true, profile: true, webhook: true })

/** Returns an arbitrary of schedules. @throws OptionError */
export function schedulesOf(fc: typeof FastCheck, options: DrawOptions = {}): Arbitrary<Schedule> {
  if (typeof fc?.record !== 'function')
    throw new OptionError('schedules expects fast-check as its first argument.')
  refuseUnknownOptions(options, OPTIONS, 'schedules')
  const unknown = options.kinds?.find((kind) => !KIND_NAMES.includes(kind))
  if (unknown !== undefined) throw new OptionError(describeUnknown('kind', String(unknown), KIND_NAMES))
  const { responses = 20, kinds = KIND_NAMES, profile = 'normal', webhook = true } = options
  const possible = new Set(kinds.filter((kind) => webhook || !DELIVERY_KINDS.has(kind)))
  const { troubledOfTen, minSteps, maxSteps } = PROFILES[profile]
  const spans = spansOf(fc)
  const lastMs = responses * LONGEST_GAP_MS * 0.7
  return fc
    .record({
      arrivals: fc.array(arrival(fc, possible, troubledOfTen), {
        minLength: responses,
        maxLength: responses,
      }),
      steps: fc.array(step(fc, possible, { lastMs, webhook }), {
        minLength: minSteps,
        maxLength: maxSteps,
        size: 'max',
      }),
      offset: spans.short,
      flood:
        webhook || !possible.has('burst') ? fc.constant<ScheduledStep[]>([]) : flood(fc, possible, lastMs),
      // Last, so that a seed draws the rest as without it.
      timestamps: fc.constantFrom(
        ...Array<typeof USUAL>(USUAL_OF_TEN).fill(USUAL),
        ...(profile === 'gentle' ? [] : OTHERS),
      ),
    })
    .map(({ arrivals, steps, offset, flood, timestamps }): Schedule => {
      let at = offset
      const scheduled = arrivals.map(({ gap, ...response }): ScheduledResponse => {
        at += gap
        return { at_ms: at, ...response }
      })
      return {
        version: 1,
        responses: scheduled,
        steps: [...flood, ...steps].filter((one) => one !== null).sort((a, b) => a.at_ms - b.at_ms),
        ...(timestamps !== USUAL && { timestamps }),
      }
    })
}

const spansOf = (fc: typeof FastCheck) => ({
  short: fc.integer({ min: 0, max: 40 }),
  long: fc.integer({ min: 50, max: 300 }),
})

type Arrival = Omit<ScheduledResponse, 'at_ms'> & { readonly gap: number }

function arrival(
  fc: typeof FastCheck,
  possible: ReadonlySet<string>,
  troubledOfTen: number,
): Arbitrary<Arrival> {
  const { short, long } = spansOf(fc)
  const apart = fc.integer({ min: SHORTEST_GAP_MS, max: LONGEST_GAP_MS })
  const count = fc.integer({ min: 1, max: 2 })
  /** What each trouble of a delivery has beside its kind. */
  const deliveries: Record<DeliveryTrouble['kind'], Arbitrary<object>> = {
    // Often at the same time: that is where a check before the work is not enough.
    duplicate: fc.oneof(fc.constant(0), short).map((after_ms) => ({ after_ms })),
    delay: long.map((for_ms) => ({ for_ms })),
    reorder: fc.constant({}),
    replay: fc.oneof(short, long).map((after_ms) => ({ after_ms })),
    'fail-before': count.map((times) => ({ times })),
    'fail-after': count.map((times) => ({ times })),
    timeout: short.map((after_ms) => ({ after_ms })),
  }
  const all: [string, Arbitrary<Partial<Arrival>>][] = [
    ...Object.entries(deliveries).map(([kind, facts]): (typeof all)[number] => [
      kind,
      facts.map((one) => ({ delivery: [{ kind, ...one } as DeliveryTrouble] })),
    ]),
    ['delete', fc.oneof(short, long).map((delete_ms) => ({ delete_ms }))],
    ['draft', fc.option(long, { freq: 3 }).map((draft_ms) => ({ draft_ms }))],
    ['burst', fc.constant({ gap: 0 })],
    ['same-instant', short.map((gap) => ({ same_instant: true, gap }))],
  ]
  const troubles = all.flatMap(([kind, trouble]) => (possible.has(kind) ? trouble : []))
  const calm = apart.map((gap) => ({ gap }))
  if (troubles.length === 0) return calm
  const troubled = fc.tuple(apart, fc.oneof(...troubles)).map(([gap, trouble]) => ({ gap, ...trouble }))
  return fc.oneof(
    { weight: 10 - troubledOfTen, arbitrary: calm },
    { weight: troubledOfTen, arbitrary: troubled },
  )
}

/** A page and more, and perhaps a deletion while it is read, or a kill while it is handled. */
function flood(
  fc: typeof FastCheck,
  possible: ReadonlySet<string>,
  lastMs: number,
): FastCheck.Arbitrary<ScheduledStep[]> {
  const { short, long } = spansOf(fc)
  const at_ms = fc.integer({ min: 0, max: Math.round(lastMs) })
  const nothing = fc.constant<ScheduledStep[]>([])
  // All begin when the responses are submitted.
  const deletion = fc.constant<ScheduledStep[]>([{ at_ms: 0, kind: 'delete' }])
  const kill = fc
    .record({ then_ms: fc.oneof(short, long), down_ms: short })
    .map((given): ScheduledStep[] => [{ at_ms: 0, kind: 'kill', when: 'page', ...given }])
  const companion = fc.oneof(
    nothing,
    ...(possible.has('delete') ? [deletion] : []),
    ...(possible.has('kill') ? [kill] : []),
  )
  const flooded = fc
    .record({ at_ms, count: fc.integer(FLOOD), companions: companion })
    .map(({ at_ms, count, companions }): ScheduledStep[] => [
      { at_ms, kind: 'burst', count },
      ...companions.map((step) => ({ ...step, at_ms })),
    ])
  return fc.oneof(
    { weight: 10 - FLOODED_OF_TEN, arbitrary: fc.constant<ScheduledStep[]>([]) },
    { weight: FLOODED_OF_TEN, arbitrary: flooded },
  )
}

function step(
  fc: typeof FastCheck,
  possible: ReadonlySet<string>,
  { lastMs, webhook }: { readonly lastMs: number; readonly webhook: boolean },
): Arbitrary<ScheduledStep | null> {
  const { short, long } = spansOf(fc)
  const at_ms = fc.integer({ min: 0, max: Math.round(lastMs) })
  const steps: Arbitrary<ScheduledStep>[] = []
  for (const kind of ['kill', 'terminate'] as const) {
    const when = webhook
      ? fc.constantFrom('now', 'received', 'received', 'acknowledged', 'acknowledged', 'page')
      : fc.constantFrom('now', 'page')
    if (possible.has(kind)) {
      steps.push(
        fc.record({
          at_ms,
          kind: fc.constant(kind),
          when,
          then_ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 }), short),
          down_ms: short,
        }),
      )
    }
  }
  if (possible.has('rotate')) steps.push(fc.record({ at_ms, kind: fc.constant('rotate' as const) }))
  for (const kind of ['pause', 'outage', 'api-500', 'api-slow'] as const) {
    if (possible.has(kind)) steps.push(fc.record({ at_ms, kind: fc.constant(kind), for_ms: long }))
  }
  // About as long as its Retry-After says.
  const limited = fc.integer({ min: 700, max: 950 })
  if (possible.has('api-429'))
    steps.push(fc.record({ at_ms, kind: fc.constant('api-429' as const), for_ms: limited }))
  const how = fc.constantFrom('before', 'unanswered', 'middle', 'truncated')
  if (possible.has('api-reset')) {
    steps.push(fc.record({ at_ms, kind: fc.constant('api-reset' as const), for_ms: long, how }))
  }
  if (steps.length === 0) return fc.constant(null)
  // Programs are seldom written with a kill in mind.
  const stops = possible.has('kill') || possible.has('terminate') ? 2 : 0
  return fc.oneof(
    ...steps.map((arbitrary, index) => ({ arbitrary, weight: index < stops ? STOP_WEIGHT : 1 })),
  )
}
