import type { AttemptError } from '@formwire/contract/control'
import { explainError } from '@formwire/internal/attempt-errors'
import { DOCS, type Reason } from './reason.ts'

type Advice = Pick<Reason, 'change' | 'docs'>

/** Advice for each error without a response (DLV-05). */
const WITHOUT_RESPONSE: Readonly<Record<Exclude<AttemptError, `http_${string}`>, Advice>> = {
  timeout: {
    change: [
      'Verify and store the delivery, respond with 200, and process it afterwards: the service waits for 10 seconds of real time.',
      'If the receiver has to be this slow, look for a lock, a slow query, or a request body that is never read to its end.',
    ],
    docs: [DOCS.success, DOCS.receive],
  },
  dns: {
    change: [
      'Correct the host name in the URL of the endpoint. A local receiver is reached as 127.0.0.1.',
      'Give a public name to a local receiver with --route NAME=TARGET of the reference server.',
    ],
    docs: ['docs/reference/rules.md#hook-04', DOCS.success],
  },
  refused: {
    change: [
      'Start the receiver, and compare its port and address with the URL of the endpoint.',
      'A receiver that listens on ::1 or in a container is not reached at 127.0.0.1: bind it to the address of the URL.',
    ],
    docs: [DOCS.success],
  },
  reset: {
    change: [
      'Look in the log of the receiver: it crashed, or closed the connection before it responded.',
      'Read the whole body before you respond: some servers close the connection when a part is left unread.',
    ],
    docs: [DOCS.success],
  },
  tls: {
    change: [
      'Use http:// for a local receiver without TLS.',
      'Otherwise install a certificate that names this host and comes from a public authority, with its intermediate certificates.',
    ],
    docs: ['docs/reference/rules.md#hook-04', 'docs/how-to/proxies-and-cas.md'],
  },
  address_refused: {
    change: [
      'Use a URL whose host resolves to public addresses only.',
      'For a receiver on this machine, use the development address rules, which allow loopback.',
    ],
    docs: ['docs/reference/rules.md#hook-05', 'docs/reference/rules.md#hook-04'],
  },
  protocol: {
    change: [
      'Check that the port of the URL speaks HTTP: a TLS port that is called over http:// responds like this.',
      'Respond with a complete status line and headers, and without a 100 Continue: the request does not ask for one.',
    ],
    docs: [DOCS.success],
  },
}

const SERVER_LOG = 'Look in the log of the receiver for the error of this request.'

/** Advice of a proxy that cannot reach its program. */
const GATEWAY: Advice = {
  change: [
    SERVER_LOG,
    'A 502, 503 or 504 usually comes from a proxy whose program is down, starting or too slow.',
  ],
  docs: [DOCS.retries],
}

/** Advice for statuses with a usual cause. A receiver that refuses the signature has reasons of its own: `signature-reason.ts`. */
const BY_STATUS: Readonly<Record<number, Advice>> = {
  400: {
    change: [
      'Read the response body of the receiver: it refused the request before handling it. A missing header or a body that was parsed too early are the usual causes.',
      'Verify the raw bytes first, and parse them afterwards.',
    ],
    docs: [DOCS.receive, DOCS.mismatch],
  },
  // What to change follows from the signature.
  401: { change: [], docs: [DOCS.mismatch, DOCS.signature] },
  403: {
    change: [
      'Exempt the webhook route from logins, CSRF checks and address filters: the signature is what authenticates a delivery.',
    ],
    docs: [DOCS.mismatch, DOCS.signature],
  },
  404: {
    change: [
      'Compare the path of the endpoint URL with the route of the receiver, prefixes and slashes included.',
      'Register the route for POST: some frameworks respond with 404 to another method.',
    ],
    docs: [DOCS.receive],
  },
  405: { change: ['Register the route for POST.'], docs: [DOCS.receive] },
  408: {
    change: ['Read the whole body at once, without waiting for anything else first.'],
    docs: [DOCS.success],
  },
  409: {
    change: [
      'Respond with 200 to a duplicate that has been handled: 409 is a failure, and the delivery comes again.',
    ],
    docs: ['docs/explanation/webhook-delivery.md#duplicates', 'docs/reference/rules.md#dlv-10'],
  },
  410: {
    change: [
      'Delete the endpoint if the receiver is gone on purpose: the service does not unsubscribe it, but retries.',
      'Otherwise correct the path of the endpoint URL.',
    ],
    docs: [DOCS.retries],
  },
  413: {
    change: ['Raise the body limit of the receiver, its framework and every proxy before it to 2.5 MiB.'],
    docs: ['docs/how-to/troubleshooting.md#body_too_large'],
  },
  415: {
    change: ['Accept Content-Type application/json on this route, and read the body as bytes.'],
    docs: [DOCS.receive],
  },
  422: {
    change: [
      'Accept fields, question types and events that the receiver does not know: ignore them, and respond with 200.',
    ],
    docs: ['docs/reference/rules.md#env-04', 'docs/reference/rules.md#dlv-03'],
  },
  429: {
    change: [
      'Do not rate limit deliveries: store them, respond with 200, and process them at your own pace. Retry-After of a receiver is not read; retries follow the schedule.',
    ],
    docs: [DOCS.retries],
  },
  500: {
    change: [
      SERVER_LOG,
      'If a JSON parser such as express.json() runs before the verification, the raw bytes are gone: mount the receiver before it.',
    ],
    docs: ['docs/how-to/troubleshooting.md#body_already_parsed', DOCS.retries],
  },
  502: GATEWAY,
  503: GATEWAY,
  504: GATEWAY,
}

/** Advice for the other statuses by their first digit. */
const BY_CLASS: Readonly<Record<string, Advice>> = {
  3: {
    change: [
      'Register the final URL: a slash at the end, another host and https are common reasons for a redirect.',
      'Do not redirect deliveries to a login page.',
    ],
    docs: [DOCS.success],
  },
  5: { change: [SERVER_LOG], docs: [DOCS.retries] },
}

const OTHER_STATUS: Advice = {
  change: ['Respond with 200 once the delivery has been stored: any status other than 2xx is a failure.'],
  docs: [DOCS.success],
}

/** Returns why an attempt failed, by its error alone. */
export function attemptReason(error: AttemptError): Reason {
  const status = /^http_(\d+)$/.exec(error)?.[1]
  const advice =
    status === undefined
      ? WITHOUT_RESPONSE[error as keyof typeof WITHOUT_RESPONSE]
      : (BY_STATUS[Number(status)] ?? BY_CLASS[status.slice(0, 1)])
  return { name: error, cause: explainError(error), ...(advice ?? OTHER_STATUS) }
}
