import type { RehearsalKind } from '@formwire/internal/rehearsal-kinds'
import type { Unspecified } from '../unspecified.ts'
import { isSuccess } from './courier.ts'
import type { Verdict } from './verdict.ts'

/** What a guess is made of. */
export interface Evidence {
  readonly verdict: Verdict
  /** The kinds that are left in the shortest schedule that breaks. */
  readonly kinds: ReadonlySet<RehearsalKind>
  /** How the service writes timestamps in that schedule. */
  readonly timestamps: Unspecified['timestamps']
  /** Answers of the program to the attempts of the first wrong response. */
  readonly answers: readonly (number | null)[]
  /** Whether the program left one of them without an answer of its own accord. */
  readonly isSilent: boolean
  /** Whether a delivery that arrives a second time still breaks it when the first was answered before. */
  readonly comesAgain: boolean
  /** Whether more responses than fit on a page were submitted at once. */
  readonly isFlooded: boolean
  /** Whether the program has read more than the first page. */
  readonly turnsPages: boolean
  /** Whether the program reads the list of responses. */
  readonly polls: boolean
  /** Whether the first wrong response was a draft. */
  readonly wasDraft: boolean
  /** Whether nothing was ever handled, also when nothing disturbed the program. */
  readonly isBlind: boolean
}

/** Returns in one sentence what class of bug a failure looks like. */
export function likelyCause(evidence: Evidence): string {
  const { kind, responseIds, detail } = evidence.verdict
  switch (kind) {
    case 'lost':
      return evidence.isBlind ? HANDLED_NOTHING : lost(evidence)
    case 'handled_twice':
      return handledTwice(evidence)
    case 'invented':
      if (responseIds.includes(0)) return 'counts the test event (test.ping) as a response'
      return evidence.wasDraft
        ? 'takes a draft for a response: drafts may never be submitted'
        : 'reports ids that no response of the form has'
    case 'kept_after_deletion':
      return 'does not look for responses that were deleted'
    case 'program_ended':
      return endedBy(evidence)
    case 'not_reachable':
      return evidence.verdict.instead?.likely ?? detail ?? 'neither listens on its port nor calls the API'
  }
}

const HANDLED_NOTHING =
  'acknowledges or reads responses, but --handled (or --handled-url, or `handled`) named none in any run: check that it reads what the program writes'

const COMPARES_AS_TEXT = 'compares timestamps as text: their precision and offset can differ'
/**
 * Kinds that explain a loss. Where another format of times does, a schedule without them breaks, too; a format may stay in the schedule
 * of a program that breaks by chance.
 */
const EXPLAINING: ReadonlySet<RehearsalKind> = new Set([
  ...(['reorder', 'delay', 'fail-before', 'delete', 'draft'] as const),
  ...(['api-429', 'api-500', 'api-reset', 'api-slow', 'outage'] as const),
])
const READS_ONE_FORMAT = 'reads timestamps of one format only: their precision and offset can differ'

function lost({
  kinds,
  timestamps,
  answers,
  isSilent,
  polls,
  wasDraft,
  isFlooded,
  turnsPages,
}: Evidence): string {
  const restarted = stoppedBy(kinds)
  const acknowledged = answers.some(isSuccess)
  const last = answers.at(-1)
  const hasTies = kinds.has('same-instant') || kinds.has('burst') || timestamps === 'seconds'
  const explains = [...kinds].some((kind) => EXPLAINING.has(kind))
  const comparesAsText = !restarted && !explains && (timestamps === 'microseconds' || timestamps === 'offset')
  if (acknowledged && !polls) {
    if (answers.length > 1 && !isSuccess(answers[0]))
      return 'remembers before the work is done: the retry is taken for a duplicate'
    if (restarted) return `acknowledged before it was stored: the ${restarted} after 200 lost it`
    if (comparesAsText) return COMPARES_AS_TEXT
    if (kinds.has('reorder') || kinds.has('delay') || kinds.has('fail-before'))
      return 'takes the order of deliveries for the order of responses: one that arrives late is dropped'
    if (hasTies) return 'tells responses apart by their time: several can have the same submitted_at'
    return 'acknowledges a delivery whose response it does not handle'
  }
  if (typeof last === 'number' && !isSuccess(last) && !polls) return refused(last, kinds, timestamps)
  if (!polls && isSilent && timestamps !== 'milliseconds')
    return `${READS_ONE_FORMAT} (gives no answer to a delivery)`
  if (!polls && isSilent)
    return 'gives no answer to a delivery: an error in its handler may end the connection, or leave it open'
  if (!polls) return undelivered(kinds)
  if (comparesAsText) return COMPARES_AS_TEXT
  if (isFlooded && turnsPages && !kinds.has('delete'))
    return 'stops at the first response that it knows: a new one moves it to the next page, and a restart finds only the newest handled'
  if (restarted) return `saves its position before the work is done: the ${restarted} in between lost it`
  if (kinds.has('delete')) return 'pages by number while rows are deleted: those behind a deleted one move up'
  if (isFlooded) return 'reads one page alone: what is new can be more'
  if (hasTies)
    return '`since` is inclusive, but it is used as exclusive, or ties are dropped: several responses have the same submitted_at'
  if (kinds.has('api-429')) return 'does not repeat a request that was answered 429 after its Retry-After'
  if (['api-500', 'api-reset', 'api-slow', 'outage'].some((kind) => kinds.has(kind as RehearsalKind)))
    return 'moves its position past responses that a failed request did not give'
  if (wasDraft) return 'expects ids in the order of submission: a draft keeps its id when it is submitted'
  return 'misses responses between two polls'
}

/** Answers that ask to be tried later. */
const CLAIMED: ReadonlySet<number> = new Set([409, 423])
const LOCKED: ReadonlySet<number> = new Set([425, 429, 503])

function refused(
  status: number,
  kinds: ReadonlySet<RehearsalKind>,
  timestamps: Evidence['timestamps'],
): string {
  const restarted = stoppedBy(kinds)
  if (restarted && CLAIMED.has(status))
    return `answers ${status} long after the ${restarted}: what it had claimed before stays claimed`
  if (restarted && LOCKED.has(status))
    return `answers ${status} to new deliveries after the ${restarted}: what it left behind, such as a lock, blocks it`
  if (kinds.has('rotate'))
    return `keeps the secret from before its rotation: it refuses every later delivery with ${status}`
  const refuses = `refuses a genuine delivery with ${status}`
  return timestamps === 'milliseconds' ? refuses : `${READS_ONE_FORMAT} (${refuses})`
}

/** Nothing but polling finds a response without a delivery. */
function undelivered(kinds: ReadonlySet<RehearsalKind>): string {
  const why = kinds.has('pause') ? 'there is none while the endpoint is paused' : 'not every one arrives'
  return `relies on deliveries alone: ${why}, so it must also read the list of responses`
}

function handledTwice({ kinds, timestamps, answers, polls, comesAgain }: Evidence): string {
  const restarted = stoppedBy(kinds)
  if (restarted)
    return `remembers what it has handled too late, or only in memory: after the ${restarted} it is handled again`
  if (polls && timestamps !== 'milliseconds') return COMPARES_AS_TEXT
  if (kinds.has('replay')) return 'deduplicates by delivery id: a replay has a new one'
  if (kinds.has('duplicate') && !kinds.has('fail-after') && !kinds.has('timeout'))
    return comesAgain
      ? 'does not deduplicate, or each of its processes by itself: a delivery can come again'
      : 'checks and then acts: two attempts at the same time are both handled, it needs one atomic claim'
  if (answers.length > 1) return 'does not deduplicate: a retry is the same delivery again'
  if (polls)
    return '`since` is inclusive: responses at the position come again, and must be dropped by id, by all processes together'
  return 'does not deduplicate'
}

function endedBy({ kinds, timestamps, verdict }: Evidence): string {
  const { detail = '' } = verdict
  const how = detail === '' ? '' : ` (${detail})`
  const restarted = stoppedBy(kinds)
  const torn = `cannot read after the ${restarted} what it was writing at that moment: write beside it and rename${how}`
  if (restarted && /json|unexpected end/i.test(detail) && !kinds.has('api-reset')) return torn
  for (const [kind, what] of [
    ['api-429', 'the API answers 429'],
    ['api-500', 'the API answers 500'],
    ['api-reset', 'a connection is reset'],
    ['api-slow', 'the API is slow'],
    ['outage', 'the service is gone'],
  ] as const) {
    if (kinds.has(kind)) return `ends when ${what}${how}`
  }
  if (timestamps !== 'milliseconds') return READS_ONE_FORMAT + how
  if (restarted) return torn
  return `ended without being asked${how}`
}

const stoppedBy = (kinds: ReadonlySet<RehearsalKind>): string | undefined => {
  if (kinds.has('kill')) return 'kill'
  if (kinds.has('terminate')) return 'SIGTERM'
  return kinds.has('rotate') ? 'restart' : undefined
}
