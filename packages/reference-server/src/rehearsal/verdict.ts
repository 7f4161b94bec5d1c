import type { EXPECTATIONS } from '@formwire/internal/rehearsal-kinds'

/** Real milliseconds in which a program must listen, or call the API. */
export const READY_MS = 20_000

/** What a program must do with each response. */
export type Expectation = (typeof EXPECTATIONS)[number]

/** How a run broke. */
export type VerdictKind =
  | 'lost'
  | 'handled_twice'
  | 'invented'
  | 'kept_after_deletion'
  | 'program_ended'
  | 'not_reachable'

/** How a run broke, and by which responses. */
export interface Verdict {
  readonly kind: VerdictKind
  readonly responseIds: readonly number[]
  /** What is known beyond the ids, such as how a program ended. */
  readonly detail?: string
  /** Of `not_reachable`: what the program did instead of waiting for deliveries. */
  readonly instead?: Instead
}

/** What a program did that cannot be rehearsed, and what that looks like. */
interface Instead {
  readonly text: string
  readonly likely: string
}

/** A program that was there, but has answered no delivery. */
export const MUTE: Instead = {
  text: 'the program responded to no delivery, not even the test event',
  likely: 'receives deliveries, but never answers one',
}

/** A program without an endpoint that was there, but read nothing. */
export const IDLE: Instead = {
  text: 'the program listens, but has never called the API, and no path for deliveries was named',
  likely: 'waits for deliveries: name the path that it receives them at with --webhook',
}

/** A program that ended by itself before anything was asked of it. */
export const ended = (how: string): Instead => ({
  text: `the program ended by itself before the first response: ${how}`,
  likely: `ends by itself when it is started (${how})`,
})

/** A program without a route for deliveries. */
export const withoutRoute = (path: string, status: number): Instead => ({
  text: `the program responded with ${status} to the test event at ${path}`,
  likely: `has no route for POST at ${path}: is it the path that --webhook names?`,
})

/** What happened, as far as it decides which responses must have been handled. */
export interface RunFacts {
  readonly submitted: ReadonlySet<number>
  readonly deleted: ReadonlySet<number>
  /** Whether the program has acknowledged a delivery of the response. */
  readonly isAcknowledged: (responseId: number) => boolean
  /** Whether the program has refused the last attempt of a delivery of the response, or not answered it. */
  readonly isRefused: (responseId: number) => boolean
  readonly expect: Expectation
  /** Whether every response must be handled, and not only what was delivered. */
  readonly complete: boolean
  /** Whether deleted responses must no longer be among those that were handled. */
  readonly deletions: boolean
}

/** Returns how a run broke, or `undefined`. What may still come is `lost` and `kept_after_deletion`. */
export function judge(facts: RunFacts, handled: readonly number[]): Verdict | undefined {
  const { submitted, deleted, expect, deletions } = facts
  const times = new Map<number, number>()
  for (const id of handled) times.set(id, (times.get(id) ?? 0) + 1)
  const found = (kind: VerdictKind, ids: Iterable<number>): Verdict | undefined => {
    const responseIds = [...ids]
    return responseIds.length === 0 ? undefined : { kind, responseIds }
  }
  const invented = [...times.keys()].filter((id) => !submitted.has(id))
  const twice = [...times].filter(([, count]) => count > 1).map(([id]) => id)
  const lost = [...submitted].filter((id) => !times.has(id) && !deleted.has(id) && isRequired(facts, id))
  const kept = [...deleted].filter((id) => times.has(id))
  return (
    found('invented', invented) ??
    (expect === 'at-least-once' ? undefined : found('handled_twice', twice)) ??
    (expect === 'at-most-once' ? undefined : found('lost', lost)) ??
    (deletions ? found('kept_after_deletion', kept) : undefined)
  )
}

/** A program that does not poll need not have what the service never promised, but what it acknowledged, and what it refused until the end. */
const isRequired = ({ complete, isAcknowledged, isRefused }: RunFacts, id: number): boolean =>
  complete || isAcknowledged(id) || isRefused(id)

/** Returns in words how a run broke. */
export function describe({ kind, responseIds, detail, instead }: Verdict): string {
  const [first] = responseIds
  const [what, were, are] =
    responseIds.length > 1
      ? [`${first} and ${responseIds.length - 1} more`, 'were', 'are']
      : [first, 'was', 'is']
  switch (kind) {
    case 'lost':
      return `response ${what} ${were} never handled`
    case 'handled_twice':
      return `response ${what} ${were} handled more than once`
    case 'invented':
      return `${what} ${were} reported as handled, but ${are} not among the submitted responses`
    case 'kept_after_deletion':
      return `response ${what} ${were} deleted, and ${are} still there`
    case 'program_ended':
      return `the program ended by itself: ${detail}`
    case 'not_reachable':
      if (instead) return instead.text
      return detail === undefined
        ? `the program did not listen on its port, and did not call the API, within ${READY_MS / 1000} s`
        : `what was handled could not be read: ${detail}`
  }
}
