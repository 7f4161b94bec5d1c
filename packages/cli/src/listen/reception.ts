/** One delivery as it was received: what `listen` shows, and prints as NDJSON with `--json`. */
export interface Reception {
  /** Counts the deliveries of this run, from 1. */
  number: number
  received_at: string
  delivery_id: string | null
  event: string | null
  form_id: string | null
  response_id: number | null
  /** Whether signature and time hold. */
  verified: boolean
  /** Why not. */
  problem: { code: string; message: string; hint: string } | null
  /** Status that was answered. */
  answered: number
  /** What the handler did, when there is one. */
  forwarded: { status: number | null; duration_ms: number; reason: string | null } | null
  /** What an answer other than 2xx usually means. */
  advice: string | null
  /** From the server's log, when it can be read: which attempt this was, and when the next one comes. */
  attempt: number | null
  next_attempt_at: string | null
  /** Where `--record` wrote it. */
  recorded: string | null
  /** The event, once verified. */
  payload: unknown
}

/** The column for remarks: the problem, the advice, the next attempt. */
export function remarkOf(reception: Reception): string {
  const parts: string[] = []
  if (reception.problem) parts.push(`${reception.problem.message} ${reception.problem.hint}`)
  if (reception.forwarded?.reason) parts.push(`the handler gave no answer: ${reception.forwarded.reason}`)
  if (reception.advice) parts.push(reception.advice)
  if (reception.next_attempt_at) parts.push(`next attempt ${reception.next_attempt_at}`)
  return parts.join('; ')
}
