import type { AttemptError } from '@formwire/contract/control'
import type { Chance } from './chance.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Outcome of an attempt: an HTTP status, or the error of an attempt without a response. */
export type ReceiverOutcome = number | Exclude<AttemptError, `http_${number}`>

/** An attempt that is about to be made. */
interface AttemptFacts {
  /** Milliseconds before the start of the demo. */
  readonly ago: number
  /** From 1. */
  readonly number: number
  /** Position of the delivery among those of its endpoint, from 0. */
  readonly delivery: number
}

/** How the receiver of an endpoint behaved in the last week. */
export interface ReceiverHistory {
  /** Start and end of `url`, to recognize the endpoint. */
  readonly host: string
  readonly path: string
  /** When the endpoint was paused, in milliseconds before the start; `undefined` while it is active. */
  readonly pausedAgo?: number
  outcome(attempt: AttemptFacts, chance: Chance): ReceiverOutcome
}

/** Deliveries of the built-in receiver that did not succeed at once: what each attempt got, then 200. */
const HICCUPS: Readonly<Record<number, readonly ReceiverOutcome[]>> = {
  4: [500],
  11: ['timeout', 503],
  17: ['reset'],
  23: [404, 404, 404, 404, 404, 404],
  31: [503],
  38: ['timeout'],
  44: [500, 'reset', 500],
}

/** What the endpoints of the demo had to do with. Together they show every error class. */
export const RECEIVERS: readonly ReceiverHistory[] = [
  {
    // A program on the developer's machine that was stopped two days ago.
    host: '127.0.0.1:4000',
    path: '/webhooks/formwire',
    pausedAgo: 40 * HOUR_MS,
    outcome: ({ ago, delivery, number }) => {
      if (ago < 2.4 * DAY_MS) return 'refused'
      return delivery % 9 === 5 && number < 3 ? 500 : 200
    },
  },
  {
    // A host that was moved: its name, then its certificate, then its address was wrong.
    host: 'hooks.example.com',
    path: '/formwire',
    pausedAgo: 6 * DAY_MS,
    outcome: ({ delivery }) => (['dns', 'tls', 'address_refused', 301] as const)[delivery % 4] ?? 'dns',
  },
  {
    host: '127.0.0.1',
    path: '/guest-feedback',
    outcome: ({ delivery, number }) => HICCUPS[delivery]?.[number - 1] ?? 200,
  },
  {
    // A gateway that lost its application, and sent half of a page.
    host: 'crm.example.com',
    path: '/hooks/retreat',
    pausedAgo: 2.5 * DAY_MS,
    outcome: ({ ago, delivery }, chance) => {
      if (ago > 3.5 * DAY_MS) return 200
      return delivery % 3 === 0 ? 'protocol' : chance.pick([502, 503, 410] as const)
    },
  },
  {
    // An outage that began within the last hour: its deliveries are pending, and succeed when they are tried again.
    host: '127.0.0.1',
    path: '/retreat',
    outcome: ({ ago, delivery, number }) => {
      if (ago < 6 * HOUR_MS) return 503
      return delivery % 12 === 7 && number === 1 ? 429 : 200
    },
  },
]

/** What a receiver responds with, for the log. */
export function answerOf(status: number, chance: Chance): string {
  if (status < 300) return chance.pick(['ok', '{"received":true}', ''])
  return ANSWERS[status] ?? ''
}

const ANSWERS: Readonly<Record<number, string>> = {
  301: '',
  404: '{"error":"no route for POST /guest-feedback"}',
  410: '{"error":"this hook was removed"}',
  429: '{"error":"slow down"}',
  500: '{"error":"TypeError: Cannot read properties of undefined (reading \'email\')"}',
  502: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  503: '{"error":"deploy in progress"}',
}

/** How long an attempt takes, in milliseconds. */
export function durationOf(outcome: ReceiverOutcome, deadlineMs: number, chance: Chance): number {
  if (outcome === 'timeout') return deadlineMs + chance.between(0, 12)
  if (outcome === 'dns') return chance.between(3, 60)
  if (outcome === 'refused' || outcome === 'address_refused') return chance.between(0, 3)
  // Most responses are fast, and some are slow.
  return Math.round(38 + 900 * chance.share() ** 5 + chance.between(0, 30))
}
