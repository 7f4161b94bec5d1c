import { EventEmitter } from 'node:events'
import type { AttemptError } from '@formwire/contract/control'
import type { Clock } from '../clock/index.ts'
import type { Context } from '../context.ts'
import { DeliveryEngine } from '../delivery/index.ts'
import type { Sender } from '../delivery/sender.ts'
import { sequenceOfId } from '../domain/delivery.ts'
import { seededRandom } from '../random.ts'
import { DeliveriesTable } from '../store/deliveries.ts'
import { State } from '../store/state.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** An HTTP status, or the error of an attempt without a response. */
type Outcome = number | Exclude<AttemptError, `http_${number}`>

/** A receiver of the demo. Together they show every error class. `ago` is before the start of the demo. */
interface DemoReceiver {
  /** When its endpoint was paused. @default it is active */
  readonly pausedAgo?: number
  /** Returns the outcome of an attempt, counted from 1, of the delivery at a position of the log. */
  readonly outcome: (ago: number, attempt: number, position: number) => Outcome
}

/** Outcomes of some deliveries of the built-in receiver, by position. */
const HICCUPS: Readonly<Record<number, readonly Outcome[]>> = {
  1: [500],
  4: ['timeout', 503],
  10: [404, 404, 404, 404, 404, 404],
  13: [500, 'reset', 500],
}

/** By the path of their endpoints. */
const RECEIVERS: Readonly<Record<string, DemoReceiver>> = {
  // A program on the developer's machine that was stopped two days ago.
  '/webhooks/formwire': {
    pausedAgo: 40 * HOUR_MS,
    outcome: (ago, attempt, position) => {
      if (ago < 2.4 * DAY_MS) return 'refused'
      return position % 5 === 2 && attempt < 3 ? 500 : 200
    },
  },
  // A host that was moved: its name, then its certificate, then its address was wrong.
  '/formwire': {
    pausedAgo: 6 * DAY_MS,
    outcome: (_ago, _attempt, position) =>
      (['dns', 'tls', 'address_refused', 301] as const)[position % 4] as Outcome,
  },
  '/guest-feedback': { outcome: (_ago, attempt, position) => HICCUPS[position % 17]?.[attempt - 1] ?? 200 },
  // A gateway that lost its application, and sent half of a page.
  '/hooks/retreat': {
    pausedAgo: 2.5 * DAY_MS,
    outcome: (ago, attempt, position) =>
      ago > 3.5 * DAY_MS
        ? 200
        : (([502, 503, 'protocol', 410] as const)[(position + attempt) % 4] as Outcome),
  },
  // An outage that began within the last hours: its deliveries are pending, and succeed when they are tried again.
  '/retreat': {
    outcome: (ago, attempt, position) => {
      if (ago < 6 * HOUR_MS) return 503
      return position % 6 === 1 && attempt === 1 ? 429 : 200
    },
  },
}

const receiverOf = (url: string): DemoReceiver | undefined => RECEIVERS[new URL(url).pathname]

const ANSWERS: Readonly<Record<number, string>> = {
  200: '{"received":true}',
  404: '{"error":"no route for POST /guest-feedback"}',
  410: '{"error":"this hook was removed"}',
  429: '{"error":"slow down"}',
  500: '{"error":"TypeError: Cannot read properties of undefined (reading \'email\')"}',
  502: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  503: '{"error":"deploy in progress"}',
}

/**
 * Plays the deliveries of the week before `end` with an engine of its own, on a clock that it moves from step to step. Its
 * receivers respond in this process: nothing is sent, and nothing waits.
 *
 * @param base The state of the demo seed, which stays as it is.
 * @returns a copy with the deliveries and the health of the endpoints
 */
export function playDemoWeek(base: State, context: Context, end: number): State {
  const state = new State({ ...base.fork(), deliveries: new DeliveriesTable() })
  let now = end - 7 * DAY_MS
  const steps = new Map<() => void, number>()
  const later = (at: number, run: () => void) => {
    steps.set(run, at)
    return () => void steps.delete(run)
  }
  const clock: Clock = {
    mode: 'manual',
    now: () => now,
    wakeAt: later,
    track: (work) => work,
    idle: async () => {},
    advance: async () => {},
  }
  const sender: Sender = {
    send({ url, headers }, done) {
      const position = headers.map(sequenceOfId).find((found) => found !== undefined) ?? 0
      const attempt = (state.deliveries.get(position)?.attempts.length ?? 0) + 1
      const outcome = receiverOf(url)?.outcome(end - now, attempt, position) ?? 200
      const isStatus = typeof outcome === 'number'
      const durationMs =
        outcome === 'timeout' ? context.settings.deliveryTimeoutMs : isStatus ? 38 + (position % 90) : 2
      // No attempt is in flight when the demo starts.
      later(Math.min(now + durationMs, end), () =>
        done({
          httpStatus: isStatus ? outcome : null,
          error: isStatus ? (outcome < 300 ? null : `http_${outcome}`) : outcome,
          receiverAnswer: isStatus ? (ANSWERS[outcome] ?? '') : null,
        }),
      )
    },
    abandonAll() {},
    async close() {},
  }
  const events: Context['events'] = new EventEmitter()
  const past: Context = { ...context, state, clock, random: seededRandom(20_261_121), events }
  const engine = new DeliveryEngine({ context: past, sender, elapsed: () => now, onChange: () => {} })
  for (const endpoint of state.endpoints.all()) {
    const { pausedAgo } = receiverOf(endpoint.url) ?? {}
    if (pausedAgo === undefined) continue
    state.endpoints.put({ ...endpoint, active: true })
    later(end - pausedAgo, () => {
      const paused = state.endpoints.get(endpoint.id) ?? endpoint
      state.endpoints.put({ ...paused, active: false, pausedAt: now, notSent: 0 })
      engine.pause(endpoint.id)
    })
  }
  for (const response of base.responses.all()) {
    const form = base.forms.get(response.formId)
    if (!form || response.status !== 'submitted' || response.at < now) continue
    later(response.at, () => events.emit('change', { type: 'response.submitted', form, response }))
  }
  const next = () => [...steps].sort(([, a], [, b]) => a - b)[0]
  for (let step = next(); step && step[1] <= end; step = next()) {
    const [run, at] = step
    steps.delete(run)
    now = Math.max(now, at)
    run()
  }
  return state
}
