import { RECEIVER_CHECKS, type ReceiverCheckEntry } from './checks.ts'

/** The end of one request: its status and the start of an unexpected response, or why there is none. */
export type Outcome = { status: number; text?: string | undefined } | { status: null; reason: string }

/** The reason when the receiver closed the connection. */
export const CLOSED = 'the connection was closed'

/** Returns what is wrong in the receiver and how to fix it, in one sentence. */
export function hintFor(entry: ReceiverCheckEntry, outcome: Outcome): string {
  const { status } = outcome
  // Many servers close the connection in the middle of a body that is too large for them.
  if (status === null && outcome.reason === CLOSED && entry === RECEIVER_CHECKS.large_body) return entry.hint
  if (status === null) {
    return entry.expected === '2xx'
      ? `The receiver sent no response (${outcome.reason}): respond to every delivery, within 10 seconds, before any long work.`
      : `The receiver sent no response (${outcome.reason}) to a delivery that it must refuse: respond with 400 or 401.`
  }
  if (status >= 300 && status < 400) {
    return `The receiver redirects with ${status}, and the service does not follow redirects: respond at this URL itself.`
  }
  if (entry.expected === '4xx' && status >= 500) {
    return `The receiver fails with ${status} on a request that it must refuse: catch the error, and respond with 400 or 401.`
  }
  if (entry === RECEIVER_CHECKS.genuine && isUnhandled(status)) {
    return `Nothing handles a POST to this URL (${status}): check the path of the URL and the method of the route.`
  }
  if (entry === RECEIVER_CHECKS.genuine && status >= 500) {
    return `The receiver fails with ${status} on a genuine delivery: see its log. If a body parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before the parser.`
  }
  return entry.hint
}

/** Whether a status says that there is no receiver at the URL, so that the other checks would only repeat it. */
export const isUnhandled = (status: number | null): boolean => status === 404 || status === 405

/** Returns the hint of a check that fails with the status that a genuine delivery gets as well. */
export function hintLikeGenuine(status: number): string {
  return `It gets ${status} like a genuine delivery: fix that first.`
}

/** Whether a status is the expected one. */
export function isExpected(
  { expected }: Pick<ReceiverCheckEntry, 'expected'>,
  status: number | null,
): boolean {
  if (status === null) return false
  return expected === '2xx' ? status >= 200 && status < 300 : status >= 400 && status < 500
}
