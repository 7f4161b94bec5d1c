import type { AttemptError } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'

/** One reason why a delivery is where it is. */
export interface Reason {
  /** Stable: the error of the attempt, or one of `paused`, `wrong_secret` … */
  name: string
  /** What happened, in one or two sentences. */
  cause: string
  /** What to do about it, the most likely first. */
  change: readonly string[]
  /** Sections of the documentation, for the tool `docs`. */
  docs: readonly string[]
}

export const reasonWith = (
  name: string,
  cause: string,
  docs: readonly string[],
  ...change: readonly string[]
): Reason => ({ name, cause, change, docs })

/** Sections that several reasons name. */
export const DOCS = {
  retries: 'docs/explanation/webhook-delivery.md#retries',
  signature: 'docs/explanation/webhook-delivery.md#signature',
  success: 'docs/reference/rules.md#dlv-05',
  mismatch: 'docs/how-to/signature-mismatch.md',
  rotation: 'docs/how-to/rotate-secret.md',
  receive: 'packages/webhook-verify/README.md#receive',
  missed: 'docs/explanation/webhook-delivery.md#missed',
  paused: 'docs/reference/rules.md#hook-07',
} as const

/** What to do about responses that are never sent. */
export const catchUp = (notSent: number): string[] =>
  notSent === 0
    ? []
    : [
        `Resuming does not send what was submitted meanwhile (${notSent}), and it cannot be replayed: let the program read it from the API.`,
      ]

/** Sections of the documentation, and what to change. */
type Advice = readonly [docs: readonly string[], ...change: string[]]

const SERVER_LOG = 'Look in the log of the receiver for the error of this request.'

/** Advice of a proxy that cannot reach its program. */
const GATEWAY: Advice = [
  [DOCS.retries],
  SERVER_LOG,
  'A 502, 503 or 504 usually comes from a proxy whose program is down, starting or too slow.',
]

/**
 * Advice by the error of an attempt (DLV-05); for the other statuses by their class, else in general. A receiver that refuses the signature
 * has reasons of its own: `signatureReason`.
 */
const ADVICE: Readonly<Record<string, Advice>> = {
  timeout: [
    [DOCS.success, DOCS.receive],
    'Verify and store the delivery, respond with 200, and process it afterwards: the service waits for 10 seconds of real time.',
    'If the receiver has to be this slow, look for a lock, a slow query, or a request body that is never read to its end.',
  ],
  dns: [
    ['docs/reference/rules.md#hook-04', DOCS.success],
    'Correct the host name in the URL of the endpoint. A local receiver is reached as 127.0.0.1.',
    'Give a public name to a local receiver with --route NAME=TARGET of the reference server.',
  ],
  refused: [
    [DOCS.success],
    'Start the receiver, and compare its port and address with the URL of the endpoint.',
    'A receiver that listens on ::1 or in a container is not reached at 127.0.0.1: bind it to the address of the URL.',
  ],
  reset: [
    [DOCS.success],
    'Look in the log of the receiver: it crashed, or closed the connection before it responded.',
    'Read the whole body before you respond: some servers close the connection when a part is left unread.',
  ],
  tls: [
    ['docs/reference/rules.md#hook-04', 'docs/how-to/proxies-and-cas.md'],
    'Use http:// for a local receiver without TLS.',
    'Otherwise install a certificate that names this host and comes from a public authority, with its intermediate certificates.',
  ],
  address_refused: [
    ['docs/reference/rules.md#hook-05', 'docs/reference/rules.md#hook-04'],
    'Use a URL whose host resolves to public addresses only.',
    'For a receiver on this machine, use the development address rules, which allow loopback.',
  ],
  protocol: [
    [DOCS.success],
    'Check that the port of the URL speaks HTTP: a TLS port that is called over http:// responds like this.',
    'Respond with a complete status line and headers, and without a 100 Continue: the request does not ask for one.',
  ],
  http_400: [
    [DOCS.receive, DOCS.mismatch],
    'Read the response body of the receiver: it refused the request before handling it. A missing header or a body that was parsed too early are the usual causes.',
    'Verify the raw bytes first, and parse them afterwards.',
  ],
  // What to change follows from the signature.
  http_401: [[DOCS.mismatch, DOCS.signature]],
  http_403: [
    [DOCS.mismatch, DOCS.signature],
    'Exempt the webhook route from logins, CSRF checks and address filters: the signature is what authenticates a delivery.',
  ],
  http_404: [
    [DOCS.receive],
    'Compare the path of the endpoint URL with the route of the receiver, prefixes and slashes included.',
    'Register the route for POST: some frameworks respond with 404 to another method.',
  ],
  http_405: [[DOCS.receive], 'Register the route for POST.'],
  http_408: [[DOCS.success], 'Read the whole body at once, without waiting for anything else first.'],
  http_409: [
    ['docs/explanation/webhook-delivery.md#duplicates', 'docs/reference/rules.md#dlv-10'],
    'Respond with 200 to a duplicate that has been handled: 409 is a failure, and the delivery comes again.',
  ],
  http_410: [
    [DOCS.retries],
    'Delete the endpoint if the receiver is gone on purpose: the service does not unsubscribe it, but retries.',
    'Otherwise correct the path of the endpoint URL.',
  ],
  http_413: [
    ['docs/how-to/troubleshooting.md#body_too_large'],
    'Raise the body limit of the receiver, its framework and every proxy before it to 2.5 MiB.',
  ],
  http_415: [
    [DOCS.receive],
    'Accept Content-Type application/json on this route, and read the body as bytes.',
  ],
  http_422: [
    ['docs/reference/rules.md#env-04', 'docs/reference/rules.md#dlv-03'],
    'Accept fields, question types and events that the receiver does not know: ignore them, and respond with 200.',
  ],
  http_429: [
    [DOCS.retries],
    'Do not rate limit deliveries: store them, respond with 200, and process them at your own pace. Retry-After of a receiver is not read; retries follow the schedule.',
  ],
  http_500: [
    ['docs/how-to/troubleshooting.md#body_already_parsed', DOCS.retries],
    SERVER_LOG,
    'If a JSON parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before it.',
  ],
  http_502: GATEWAY,
  http_503: GATEWAY,
  http_504: GATEWAY,
  http_3xx: [
    [DOCS.success],
    'Register the final URL: a slash at the end, another host and https are common reasons for a redirect.',
    'Do not redirect deliveries to a login page.',
  ],
  http_5xx: [[DOCS.retries], SERVER_LOG],
  http_xxx: [
    [DOCS.success],
    'Respond with 200 once the delivery has been stored: any status other than 2xx is a failure.',
  ],
}

/** Returns why an attempt failed, by its error alone. */
export function attemptReason(error: AttemptError): Reason {
  const keys = [error, error.replace(/\d\d$/, 'xx'), 'http_xxx']
  const [docs, ...change] = keys.map((key) => ADVICE[key]).find((advice) => advice !== undefined) as Advice
  return { name: error, cause: explainError(error), change, docs }
}

type Told = readonly [cause: string, docs: readonly string[], ...change: string[]]

/** What reasons say that are the same for every delivery. */
const TOLD = {
  no_endpoint: [
    'No form has a webhook endpoint. The delivery log of an endpoint is removed with it.',
    ['docs/reference/rules.md#dlv-01'],
    'Add one: tool form, action add_webhook with url.',
  ],
  no_response: [
    'No response has been submitted since an endpoint was added: earlier responses and drafts are not sent.',
    ['docs/reference/rules.md#dlv-01', 'docs/reference/rules.md#dlv-02'],
    'Submit a response (tool submit), or send a test event (tool form, action test).',
  ],
  exhausted: ['All six attempts failed, and no other follows.', [DOCS.retries, DOCS.missed]],
  response_deleted: [
    'The response was deleted before this delivery reached its receiver. Its payload is gone, so it cannot be replayed.',
    ['docs/decisions/0038-deliveries-of-a-deleted-response.md'],
    'Nothing, if the response was deleted on purpose: receivers must not expect an event of every response.',
  ],
  paused: [
    'The endpoint was paused: pending deliveries fail then, and responses that are submitted meanwhile are never sent.',
    [DOCS.paused, DOCS.missed, 'docs/decisions/0035-an-attempt-in-flight-at-a-pause.md'],
    'Resume the endpoint (tool form, action resume), then replay this delivery.',
  ],
  form_trashed: [
    'The form was moved to the trash, which cancels its pending deliveries.',
    ['docs/reference/rules.md#dlv-06'],
    'Restore the form (tool form, action restore), then replay this delivery.',
  ],
  cancelled: ['The delivery was cancelled.', [DOCS.retries]],
  wrong_secret: [
    'The body arrived unchanged, so the receiver verifies with another secret than that of this endpoint.',
    ['docs/how-to/signature-mismatch.md#2-is-it-the-secret-of-this-endpoint'],
    'Give the receiver the secret of this endpoint, whsec_ included. Each endpoint has its own.',
  ],
  secret_replaced: [
    'This attempt was signed with another secret than the one that this session knows: the secret of the endpoint was replaced.',
    [DOCS.rotation, 'docs/reference/rules.md#hook-08'],
    'Give the receiver the new secret, and replay the delivery, or let its next attempt come: each attempt is signed with the secret of that moment.',
  ],
  no_match: [
    'This is a guess by the status: the signature may not match, because the receiver has another secret, or because it does not hash the bytes that were sent.',
    [DOCS.mismatch, 'docs/how-to/troubleshooting.md#no_match'],
    'Run check_receiver on the URL of the endpoint: which checks fail shows whether the secret or the bytes are wrong.',
    'Hash the raw bytes of the request: not JSON that was parsed and serialized again.',
    'Use the whole text of the secret as the key, whsec_ included, without a line break. If it is lost, tool form, action rotate_secret, creates a new one.',
  ],
} as const satisfies Record<string, Told>

export const REASONS = Object.fromEntries(
  Object.entries(TOLD).map(([name, told]) => [name, reasonWith(name, ...(told as Told))]),
) as Record<keyof typeof TOLD, Reason>
