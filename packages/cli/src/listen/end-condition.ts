import { EXIT, type ExitCode } from '../exit.ts'
import { failed, usage } from '../failure.ts'
import { spanText } from '../output/time.ts'
import { isAccepted, type ReceivedDelivery } from './received-delivery.ts'

/** Decides when `listen` ends and with which exit code. @param scripted the statuses come from `--respond`, so that an error status is not a failure */
export function endCondition({ count: wanted, scripted }: { count: number | undefined; scripted: boolean }) {
  let verified = 0
  let unverified = 0
  /** Why deliveries failed, with their number and what to do. */
  const failures = new Map<string, { count: number; hint: string | null }>()
  let reach: (why: 'count') => void = () => undefined
  const reached = new Promise<'count'>((resolve) => {
    reach = resolve
  })
  /** Whether the expected number has arrived. */
  const isReached = (): boolean => wanted !== undefined && verified >= wanted
  return {
    reached,
    isReached,
    /** Counts a delivery. */
    add({ verified: isVerified, answered, forwarded, advice: hint }: ReceivedDelivery): void {
      if (isVerified) verified += 1
      else unverified += 1
      if (isVerified && !scripted && !isAccepted(answered)) {
        const cause = forwarded?.reason ?? `the handler responded with ${answered}`
        failures.set(cause, { count: (failures.get(cause)?.count ?? 0) + 1, hint })
      }
      if (isReached()) reach('count')
    },
    /**
     * Returns the exit code: 0 after a timeout if no number of deliveries was wanted. @throws Failure exit 1 after a timeout
     * with too few deliveries, or if one failed
     */
    exitCode(timeoutMs: number | undefined): ExitCode {
      if (wanted === undefined) return EXIT.done
      if (timeoutMs !== undefined && !isReached()) {
        const others = unverified > 0 ? `; ${unverified} more could not be verified` : ''
        throw failed(
          'timeout',
          `timed out after ${spanText(timeoutMs)}: received ${verified} of ${wanted} expected deliveries${others}`,
          'check that the endpoint is active and that --match matches',
        )
      }
      const [first, ...more] = failures
      if (first === undefined) return EXIT.done
      const sum = [...failures.values()].reduce((all, { count }) => all + count, 0)
      const causes = [...failures].map(([cause, { count }]) =>
        more.length > 0 ? `${cause} (${count})` : cause,
      )
      const hint = more.length > 0 ? undefined : (first[1].hint ?? undefined)
      throw failed('handler_failed', `${sum} of ${verified} deliveries failed: ${causes.join(', ')}`, hint)
    },
  }
}

/** The parts of a delivery that `--match` compares. */
interface Matchable {
  event: string | null
  payload: unknown
  body: string
}

/** Returns whether a delivery matches. */
export type Matcher = (delivery: Matchable) => boolean

interface EventLike {
  form?: { id?: unknown }
  response?: { id?: unknown; answers?: { question_id?: unknown; text?: unknown }[] }
}

/**
 * Returns a matcher for `event=test.ping`, `form=ID`, `response=ID`, `answer.QUESTION=TEXT`, or a text that the body must
 * contain. Several texts must all match. @throws Failure exit 2 for an unknown field
 */
export function parseMatch(texts: readonly string[]): Matcher {
  const matchers = texts.map(one)
  return (delivery) => matchers.every((matches) => matches(delivery))
}

function one(text: string): Matcher {
  const [, field, question, value = ''] = /^([a-z]+)(?:\.([^=]+))?=(.*)$/s.exec(text) ?? []
  const partsOf = ({ payload }: Matchable): EventLike => (payload as EventLike | null) ?? {}
  if (field === undefined) return ({ body }) => body.includes(text)
  if (field === 'event') return ({ event }) => event === value
  if (field === 'form') return (delivery) => partsOf(delivery).form?.id === value
  if (field === 'response') return (delivery) => String(partsOf(delivery).response?.id) === value
  if (field === 'answer' && question !== undefined)
    return (delivery) =>
      (partsOf(delivery).response?.answers ?? []).some(
        (answer) => answer.question_id === question && answer.text === value,
      )
  throw usage(
    `unknown --match field: "${text}"`,
    'use event=, form=, response=, answer.QUESTION=, or a text that the body contains',
  )
}
