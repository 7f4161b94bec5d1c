import { EXIT, type ExitCode } from '../exit.ts'
import { Failure, usage } from '../failure.ts'
import { spanText } from '../output/time.ts'
import { isAccepted, type ReceivedDelivery } from './received-delivery.ts'

/** Decides when `listen` ends and with which exit code. */
export class EndCondition {
  /** Resolves once the expected number of deliveries has arrived. */
  readonly reached: Promise<'count'>
  readonly #wanted: number | undefined
  readonly #scripted: boolean
  #reach: (why: 'count') => void = () => undefined
  #verified = 0
  #unverified = 0
  /** Why deliveries failed, with their number and what to do. */
  readonly #failures = new Map<string, { count: number; hint: string | null }>()

  /** `scripted`: the response statuses come from `--respond`, so that an error status is not a failure. */
  constructor(options: { count: number | undefined; scripted: boolean }) {
    this.#wanted = options.count
    this.#scripted = options.scripted
    this.reached = new Promise((resolve) => {
      this.#reach = resolve
    })
  }

  /** Counts a delivery. */
  add({ verified, answered, forwarded, advice: hint }: ReceivedDelivery): void {
    if (verified) this.#verified += 1
    else this.#unverified += 1
    if (verified && !this.#scripted && !isAccepted(answered)) {
      const cause = forwarded?.reason ?? `the handler responded with ${answered}`
      const { count = 0 } = this.#failures.get(cause) ?? {}
      this.#failures.set(cause, { count: count + 1, hint })
    }
    if (this.isReached) this.#reach('count')
  }

  /** Whether the expected number has arrived. */
  get isReached(): boolean {
    return this.#wanted !== undefined && this.#verified >= this.#wanted
  }

  /**
   * Returns the exit code: 0 after a timeout if no number of deliveries was wanted. @throws Failure exit 1 after a timeout
   * with too few deliveries, or if one failed
   */
  exitCode(timeoutMs: number | undefined): ExitCode {
    const wanted = this.#wanted
    if (wanted === undefined) return EXIT.done
    if (timeoutMs !== undefined && this.#verified < wanted) {
      const unverified = this.#unverified > 0 ? `; ${this.#unverified} more could not be verified` : ''
      throw new Failure(
        `timed out after ${spanText(timeoutMs)}: received ${this.#verified} of ${wanted} expected deliveries${unverified}`,
        {
          exitCode: EXIT.failed,
          code: 'timeout',
          hint: 'check that the endpoint is active and that --match matches',
        },
      )
    }
    const failures = [...this.#failures]
    const [first] = failures
    if (first === undefined) return EXIT.done
    const failed = failures.reduce((sum, [, { count }]) => sum + count, 0)
    const causes = failures.map(([cause, { count }]) => (failures.length > 1 ? `${cause} (${count})` : cause))
    const { hint } = first[1]
    throw new Failure(`${failed} of ${this.#verified} deliveries failed: ${causes.join(', ')}`, {
      exitCode: EXIT.failed,
      code: 'handler_failed',
      ...(hint === null || failures.length > 1 ? {} : { hint }),
    })
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
