/** One received delivery, as `listen` shows it and prints it with `--json`. */
export interface ReceivedDelivery {
  /** Position among the deliveries of this run, from 1. */
  number: number
  received_at: string
  delivery_id: string | null
  event: string | null
  form_id: string | null
  response_id: number | null
  /** Whether signature and timestamp are valid. */
  verified: boolean
  /** Why verification failed. */
  problem: { code: string; message: string; hint: string } | null
  /** Response status. */
  answered: number
  /** The outcome of forwarding to the handler, if there is one. */
  forwarded: { status: number | null; duration_ms: number; reason: string | null } | null
  /** Usual cause of a response status other than 2xx, or why the delivery was not forwarded. */
  advice: string | null
  /** From the server's log, if available: the number of this attempt, and the time of the next one. */
  attempt: number | null
  next_attempt_at: string | null
  /** With `--poll`: after the last attempt, the command that sends the response again. */
  send_again: string | null
  /** Path of the file that `--record` wrote. */
  recorded: string | null
  /** The event; null if not verified. */
  payload: unknown
}

/** A delivery of which nothing is known, with its members in the order in which they are printed. */
const UNKNOWN: ReceivedDelivery = {
  number: 0,
  received_at: '',
  delivery_id: null,
  event: null,
  form_id: null,
  response_id: null,
  verified: true,
  problem: null,
  answered: 200,
  forwarded: null,
  advice: null,
  attempt: null,
  next_attempt_at: null,
  send_again: null,
  recorded: null,
  payload: null,
}

/** The members of a delivery that `--json=FIELDS` accepts. */
export const RECEIVED_FIELDS = Object.keys(UNKNOWN)

/** Returns a delivery as it is shown. It is verified, and a member that is not given is null. */
export const receivedDelivery = (
  facts: Partial<ReceivedDelivery> & Pick<ReceivedDelivery, 'number' | 'received_at'>,
): ReceivedDelivery => ({ ...UNKNOWN, ...facts })

/** Whether a response status means that a delivery was accepted. */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300

/** Returns the note on a delivery: the problem, the advice, the next attempt or that there is none. */
export function noteOf({
  problem,
  forwarded,
  advice,
  next_attempt_at: next,
  send_again: again,
}: ReceivedDelivery): string {
  const parts = [
    problem && `${problem.message} ${problem.hint}`,
    forwarded?.reason,
    advice,
    next && `next attempt ${next}`,
    again && `given up; to send it again, run: ${again}`,
  ]
  return parts.filter((part) => typeof part === 'string' && part !== '').join('; ')
}
