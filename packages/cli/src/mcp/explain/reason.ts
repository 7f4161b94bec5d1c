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

type Advice = Pick<Reason, 'change' | 'docs'>

/** Returns advice: sections of the documentation, and what to change. */
const advice = (docs: readonly string[], ...change: readonly string[]): Advice => ({ change, docs })

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

/** Advice for each error without a response (DLV-05). */
const WITHOUT_RESPONSE: Readonly<Record<Exclude<AttemptError, `http_${string}`>, Advice>> = {
  timeout: advice(
    [DOCS.success, DOCS.receive],
    'Verify and store the delivery, respond with 200, and process it afterwards: the service waits for 10 seconds of real time.',
    'If the receiver has to be this slow, look for a lock, a slow query, or a request body that is never read to its end.',
  ),
  dns: advice(
    ['docs/reference/rules.md#hook-04', DOCS.success],
    'Correct the host name in the URL of the endpoint. A local receiver is reached as 127.0.0.1.',
    'Give a public name to a local receiver with --route NAME=TARGET of the reference server.',
  ),
  refused: advice(
    [DOCS.success],
    'Start the receiver, and compare its port and address with the URL of the endpoint.',
    'A receiver that listens on ::1 or in a container is not reached at 127.0.0.1: bind it to the address of the URL.',
  ),
  reset: advice(
    [DOCS.success],
    'Look in the log of the receiver: it crashed, or closed the connection before it responded.',
    'Read the whole body before you respond: some servers close the connection when a part is left unread.',
  ),
  tls: advice(
    ['docs/reference/rules.md#hook-04', 'docs/how-to/proxies-and-cas.md'],
    'Use http:// for a local receiver without TLS.',
    'Otherwise install a certificate that names this host and comes from a public authority, with its intermediate certificates.',
  ),
  address_refused: advice(
    ['docs/reference/rules.md#hook-05', 'docs/reference/rules.md#hook-04'],
    'Use a URL whose host resolves to public addresses only.',
    'For a receiver on this machine, use the development address rules, which allow loopback.',
  ),
  protocol: advice(
    [DOCS.success],
    'Check that the port of the URL speaks HTTP: a TLS port that is called over http:// responds like this.',
    'Respond with a complete status line and headers, and without a 100 Continue: the request does not ask for one.',
  ),
}

const SERVER_LOG = 'Look in the log of the receiver for the error of this request.'

/** Advice of a proxy that cannot reach its program. */
const GATEWAY: Advice = advice(
  [DOCS.retries],
  SERVER_LOG,
  'A 502, 503 or 504 usually comes from a proxy whose program is down, starting or too slow.',
)

/** Advice for statuses with a usual cause. A receiver that refuses the signature has reasons of its own: `signature-reason.ts`. */
const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: advice(
    [DOCS.receive, DOCS.mismatch],
    'Read the response body of the receiver: it refused the request before handling it. A missing header or a body that was parsed too early are the usual causes.',
    'Verify the raw bytes first, and parse them afterwards.',
  ),
  // What to change follows from the signature.
  401: advice([DOCS.mismatch, DOCS.signature]),
  403: advice(
    [DOCS.mismatch, DOCS.signature],
    'Exempt the webhook route from logins, CSRF checks and address filters: the signature is what authenticates a delivery.',
  ),
  404: advice(
    [DOCS.receive],
    'Compare the path of the endpoint URL with the route of the receiver, prefixes and slashes included.',
    'Register the route for POST: some frameworks respond with 404 to another method.',
  ),
  405: advice([DOCS.receive], 'Register the route for POST.'),
  408: advice([DOCS.success], 'Read the whole body at once, without waiting for anything else first.'),
  409: advice(
    ['docs/explanation/webhook-delivery.md#duplicates', 'docs/reference/rules.md#dlv-10'],
    'Respond with 200 to a duplicate that has been handled: 409 is a failure, and the delivery comes again.',
  ),
  410: advice(
    [DOCS.retries],
    'Delete the endpoint if the receiver is gone on purpose: the service does not unsubscribe it, but retries.',
    'Otherwise correct the path of the endpoint URL.',
  ),
  413: advice(
    ['docs/how-to/troubleshooting.md#body_too_large'],
    'Raise the body limit of the receiver, its framework and every proxy before it to 2.5 MiB.',
  ),
  415: advice(
    [DOCS.receive],
    'Accept Content-Type application/json on this route, and read the body as bytes.',
  ),
  422: advice(
    ['docs/reference/rules.md#env-04', 'docs/reference/rules.md#dlv-03'],
    'Accept fields, question types and events that the receiver does not know: ignore them, and respond with 200.',
  ),
  429: advice(
    [DOCS.retries],
    'Do not rate limit deliveries: store them, respond with 200, and process them at your own pace. Retry-After of a receiver is not read; retries follow the schedule.',
  ),
  500: advice(
    ['docs/how-to/troubleshooting.md#body_already_parsed', DOCS.retries],
    SERVER_LOG,
    'If a JSON parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before it.',
  ),
  502: GATEWAY,
  503: GATEWAY,
  504: GATEWAY,
}

/** Advice for the other statuses by their first digit. */
const BY_CLASS: Readonly<Record<string, Advice>> = {
  3: advice(
    [DOCS.success],
    'Register the final URL: a slash at the end, another host and https are common reasons for a redirect.',
    'Do not redirect deliveries to a login page.',
  ),
  5: advice([DOCS.retries], SERVER_LOG),
}

const OTHER_STATUS: Advice = advice(
  [DOCS.success],
  'Respond with 200 once the delivery has been stored: any status other than 2xx is a failure.',
)

/** Returns why an attempt failed, by its error alone. */
export function attemptReason(error: AttemptError): Reason {
  const status = /^http_(\d+)$/.exec(error)?.[1]
  const advice =
    status === undefined
      ? WITHOUT_RESPONSE[error as keyof typeof WITHOUT_RESPONSE]
      : (BY_STATUS[Number(status)] ?? BY_CLASS[status.slice(0, 1)])
  return { name: error, cause: explainError(error), ...(advice ?? OTHER_STATUS) }
}
