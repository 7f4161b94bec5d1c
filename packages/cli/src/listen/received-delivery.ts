import type { Forwarded } from './forward.ts'

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

/** What is known of a delivery that was handled. */
type HandledFacts = Partial<Omit<ReceivedDelivery, 'forwarded'>> &
  Pick<ReceivedDelivery, 'number' | 'received_at' | 'answered'> & { forwarded: Forwarded | undefined }

/** Returns a delivery as it is shown. It is verified, and a member that is not given is null. */
export function receivedDelivery({ forwarded, ...facts }: HandledFacts): ReceivedDelivery {
  return {
    number: facts.number,
    received_at: facts.received_at,
    delivery_id: facts.delivery_id ?? null,
    event: facts.event ?? null,
    form_id: facts.form_id ?? null,
    response_id: facts.response_id ?? null,
    verified: facts.verified ?? true,
    problem: facts.problem ?? null,
    answered: facts.answered,
    forwarded: forwarded
      ? {
          status: forwarded.reached ? forwarded.status : null,
          duration_ms: Math.round(forwarded.durationMs),
          reason: forwarded.reached ? null : forwarded.reason,
        }
      : null,
    advice: facts.advice ?? null,
    attempt: facts.attempt ?? null,
    next_attempt_at: facts.next_attempt_at ?? null,
    send_again: facts.send_again ?? null,
    recorded: facts.recorded ?? null,
    payload: facts.payload ?? null,
  }
}

/** The members of a delivery that `--json=FIELDS` accepts. */
export const RECEIVED_FIELDS = [
  'number',
  'received_at',
  'delivery_id',
  'event',
  'form_id',
  'response_id',
  'verified',
  'problem',
  'answered',
  'forwarded',
  'advice',
  'attempt',
  'next_attempt_at',
  'send_again',
  'recorded',
  'payload',
] as const satisfies readonly (keyof ReceivedDelivery)[]

/** Returns the note on a delivery: the problem, the advice, the next attempt or that there is none. */
export function noteOf(received: ReceivedDelivery): string {
  const parts: string[] = []
  if (received.problem) parts.push(`${received.problem.message} ${received.problem.hint}`)
  if (received.forwarded?.reason) parts.push(received.forwarded.reason)
  if (received.advice) parts.push(received.advice)
  if (received.next_attempt_at) parts.push(`next attempt ${received.next_attempt_at}`)
  if (received.send_again) parts.push(`given up; to send it again, run: ${received.send_again}`)
  return parts.join('; ')
}
