/** What can happen in a rehearsal, each kind with what it does. */
export const REHEARSAL_KINDS = {
  duplicate: 'a delivery arrives twice',
  delay: 'a delivery arrives late',
  reorder: 'a delivery arrives after the next one',
  replay: 'a delivery is replayed, with a new id',
  'fail-before': 'an attempt fails before it reaches the program',
  'fail-after': 'the answer of the program is lost, so that the service tries again',
  timeout: 'the service gives up waiting for the answer and tries again',
  pause: 'the endpoint is paused and resumed',
  rotate: 'the secret is replaced, and the program restarted with the new one',
  delete: 'a response is deleted',
  draft: 'a response is a draft at first, and may stay one',
  burst: 'several responses are submitted at once',
  'same-instant': 'responses have the same submitted_at',
  'api-429': 'the API answers 429 with Retry-After',
  'api-500': 'the API answers 500',
  'api-reset': 'the API resets connections, or ends a body halfway',
  'api-slow': 'the API answers slowly',
  kill: 'the program is killed and started again',
  terminate: 'the program is asked to end (SIGTERM) and started again',
  outage: 'the service is gone for a while',
} as const

/** A kind of event in a rehearsal. */
export type RehearsalKind = keyof typeof REHEARSAL_KINDS

export const KIND_NAMES = Object.keys(REHEARSAL_KINDS) as readonly RehearsalKind[]

/** What a program can promise for each response. */
export const EXPECTATIONS = ['exactly-once', 'at-least-once', 'at-most-once'] as const

/** As many runs as fit into a time. */
export const MAX_RUNS = 1_000_000
export const LARGEST_SEED = 2 ** 31 - 1

/** How much happens in a rehearsal. */
export type RehearsalProfile = 'gentle' | 'normal' | 'harsh'

/** Of ten responses, how many something happens to; and how many steps there are beside them. */
export const PROFILES: Readonly<
  Record<RehearsalProfile, { troubledOfTen: number; minSteps: number; maxSteps: number }>
> = {
  gentle: { troubledOfTen: 1, minSteps: 0, maxSteps: 1 },
  normal: { troubledOfTen: 4, minSteps: 1, maxSteps: 3 },
  harsh: { troubledOfTen: 8, minSteps: 3, maxSteps: 6 },
}
