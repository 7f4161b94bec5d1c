import { removeHeader, setHeader, signAgain } from '../edit-delivery.ts'
import { type GenuineDelivery, type Probe, withBody } from './probe.ts'

/** The response status that a check expects. */
export type ExpectedStatus = '2xx' | '4xx'

/** One check of a receiver. */
export interface ReceiverCheckEntry {
  /** Whether a receiver must pass it. Others are only reported. */
  readonly required: boolean
  readonly expected: ExpectedStatus
  /** What the receiver is sent. */
  readonly description: string
  /** What is wrong in a receiver that fails it, and how to fix it. */
  readonly hint: string
}

/** A check that sends one request. */
interface SingleEntry extends ReceiverCheckEntry {
  probe(delivery: GenuineDelivery): Probe
}

const LARGE_BODY_BYTES = 900_000
const TEN_MINUTES = 600
const SIGNATURE = 'X-Service-Signature'
const TIMESTAMP = 'X-Service-Timestamp'

/** The checks of one request each, which differs from a genuine delivery in one thing. */
export const SINGLE_CHECKS = {
  genuine: accept({
    description: 'a response.submitted as the service sends it',
    hint: 'The receiver refuses a genuine delivery: check that it has the secret of this endpoint, whsec_ included, and verifies the hex HMAC-SHA256 of the timestamp, a dot and the raw body, not of JSON that was serialized again.',
    probe: (delivery) => delivery,
  }),
  test_ping: accept({
    description: 'a test.ping, whose response id is 0',
    hint: 'The receiver handles response.submitted only: respond to test.ping, whose response id is 0, with 200, or "Send test event" in the app reports a failure.',
    probe: (delivery) => renamed(delivery, 'test.ping', 0),
  }),
  pretty_printed: accept({
    description: 'the JSON with white space',
    hint: 'The receiver does not verify the bytes it received but JSON that it parsed and serialized again: keep the raw body and verify that.',
    probe: (delivery) => withBody(delivery, JSON.stringify(delivery.payload, null, 2)),
  }),
  non_ascii: accept({
    description: 'answers in several scripts, as raw UTF-8',
    hint: 'The receiver decodes or escapes the body before it verifies it: compute the signature over the raw UTF-8 bytes.',
    probe: (delivery) => {
      const text = 'Café · 満足度 · رضا · 👩🏽‍🚀'
      return withBody(delivery, withLastAnswer(delivery, text, text))
    },
  }),
  chunked: accept({
    description: 'a body in chunks, without Content-Length',
    hint: 'The receiver depends on Content-Length: read the body until it ends, since a proxy may send it with Transfer-Encoding: chunked.',
    probe: (delivery) => ({ headers: delivery.headers, body: delivery.body, chunked: true }),
  }),
  large_body: accept({
    description: 'a body of 900 kB',
    hint: 'The receiver limits the body to less than 900 kB: raise the limit of the server, the framework and every proxy to 2.5 MiB.',
    probe: (delivery) => {
      const spare = LARGE_BODY_BYTES - withLastAnswer(delivery, '', '').length
      const value = 'y'.repeat(Math.floor(spare / 2))
      return withBody(delivery, withLastAnswer(delivery, value, 'y'.repeat(spare - value.length)))
    },
  }),
  unknown_event: accept({
    description: 'an event type that this version of the service does not have',
    hint: 'The receiver refuses events it does not know: respond with 200 and ignore them, so that a later version of the service does not cause retries.',
    probe: (delivery) => renamed(delivery, 'form.archived', delivery.payload.response.id),
  }),
  unknown_fields: accept({
    description: 'fields that this version of the service does not send',
    hint: 'The receiver refuses fields it does not know: ignore them, since the service may add fields at any time.',
    probe: (delivery) => {
      const { event, form, response } = delivery.payload
      return withBody(
        delivery,
        JSON.stringify({
          event,
          form: { ...form, folder: { id: 7 } },
          response: {
            ...response,
            answers: response.answers.map((answer) => ({ ...answer, hidden: false })),
            meta: { ...response.meta, country: 'DE' },
            language: 'en',
          },
          api_version: '1.1',
        }),
      )
    },
  }),
  header_case: accept({
    description: 'header names in lower case, as HTTP/2 proxies write them',
    hint: 'The receiver looks the headers up in one spelling: compare header names without regard to case.',
    probe: ({ headers, body }) => ({
      headers: headers.map(([name, value]) => [name.toLowerCase(), value]),
      body,
    }),
  }),
  fast_enough: accept({
    description: 'a genuine delivery, to be accepted within 10 seconds',
    hint: 'The receiver takes longer than the 10 seconds after which the service gives up and retries: store the delivery, respond, and do the work afterwards.',
    probe: (delivery) => delivery,
  }),
  tampered_body: refuse({
    description: 'one character of the body changed',
    hint: 'The receiver accepts a body that was changed on the way: compute the HMAC over the whole raw body and refuse a mismatch with 401.',
    probe: ({ headers, body }) => ({ headers, body: body.replace('"value":5', '"value":4') }),
  }),
  reserialized_body: refuse({
    description: 'the same JSON in other bytes than the signed ones',
    hint: 'You verify the JSON after parsing it again: keep the raw bytes of the request and compute the HMAC over them.',
    probe: ({ headers, payload }) => ({ headers, body: JSON.stringify(payload, null, 2) }),
  }),
  wrong_secret: refuse({
    description: 'signed with the secret of another endpoint',
    hint: 'The receiver accepts a signature made with any secret: compare it with the HMAC keyed with the secret of this endpoint.',
    probe: (delivery) => {
      const secret = `${delivery.secret}_of_another_endpoint`
      return parts(signAgain(delivery, delivery.timestampSeconds, delivery.body, secret), delivery.body)
    },
  }),
  missing_signature: refuse({
    description: 'no X-Service-Signature header',
    hint: 'The receiver accepts a delivery without a signature: refuse it with 400 or 401.',
    probe: (delivery) => parts(removeHeader(delivery, SIGNATURE), delivery.body),
  }),
  missing_timestamp: refuse({
    description: 'no X-Service-Timestamp header',
    hint: 'The receiver handles a missing timestamp wrongly: refuse a delivery without X-Service-Timestamp with 400 before you compute anything.',
    probe: (delivery) => parts(removeHeader(delivery, TIMESTAMP), delivery.body),
  }),
  signature_without_prefix: refuse({
    description: 'the signature without "sha256="',
    hint: 'The receiver accepts a signature without "sha256=": require the prefix, which names the algorithm.',
    probe: signatureChanged((value) => value.slice(7)),
  }),
  uppercase_signature: refuse({
    required: false,
    description: 'the hex digits of the signature in upper case',
    hint: 'The receiver accepts uppercase hex digits, which the service never sends: compare the text of the signature exactly.',
    probe: signatureChanged((value) => `sha256=${value.slice(7).toUpperCase()}`),
  }),
  old_timestamp: refuse({
    description: 'signed ten minutes ago',
    hint: 'The receiver accepts old deliveries, so that captured ones can be replayed: refuse timestamps more than 5 minutes ago.',
    probe: (delivery) => parts(signAgain(delivery, delivery.timestampSeconds - TEN_MINUTES), delivery.body),
  }),
  future_timestamp: refuse({
    description: 'signed ten minutes ahead',
    hint: 'The receiver accepts timestamps in the future, which stay replayable for longer: refuse those more than 5 minutes ahead too.',
    probe: (delivery) => parts(signAgain(delivery, delivery.timestampSeconds + TEN_MINUTES), delivery.body),
  }),
  tampered_timestamp: refuse({
    description: 'another timestamp than the signed one, within the tolerance',
    hint: 'The receiver does not verify the timestamp as it was received: the HMAC covers the exact text of X-Service-Timestamp, a dot and the raw body.',
    probe: (delivery) =>
      parts(setHeader(delivery, TIMESTAMP, String(delivery.timestampSeconds - 5)), delivery.body),
  }),
  empty_body: refuse({
    description: 'no body',
    hint: 'The receiver handles an empty body wrongly: verify it like any other body, and refuse it with 400 or 401.',
    probe: ({ headers }) => ({ headers, body: '' }),
  }),
  truncated_signature: refuse({
    description: 'the first half of the signature',
    hint: 'The receiver compares only as many characters as it was sent: compare the whole signature in constant time, and refuse another length first.',
    probe: signatureChanged((value) => value.slice(0, 7 + 32)),
  }),
  not_post: refuse({
    required: false,
    description: 'PUT instead of POST',
    hint: 'The receiver handles other methods than POST: respond to them with 405.',
    probe: ({ headers, body }) => ({ headers, body, method: 'PUT' }),
  }),
} as const satisfies Record<string, SingleEntry>

/** The checks of several requests, which can also count how often a response was handled. */
export const DUPLICATE_CHECKS = {
  same_delivery_twice: {
    required: true,
    expected: '2xx',
    description: 'the same delivery again with a new signature, as the service retries it',
    hint: 'The receiver refuses or repeats a delivery that it has handled: remember its event, form id and response id, and respond to a repetition with 200.',
  },
  same_response_new_delivery_id: {
    required: true,
    expected: '2xx',
    description: 'the same response under a new delivery id, as "Replay" in the app sends it',
    hint: 'The receiver refuses or repeats a response that was replayed: recognize duplicates by event, form id and response id, which are signed, not by the delivery id.',
  },
  concurrent_duplicates: {
    required: true,
    expected: '2xx',
    description: 'the same delivery five times at once; 409 is accepted too, except for all of them',
    hint: 'The receiver does not cope with copies that arrive at the same time: claim the response id atomically (a unique key) before you handle it, and respond to the others with 200 or 409.',
  },
} as const satisfies Record<string, ReceiverCheckEntry>

/** Name of a check that sends one request. */
export type SingleCheckName = keyof typeof SINGLE_CHECKS
/** Name of a check that sends a delivery more than once. */
export type DuplicateCheckName = keyof typeof DUPLICATE_CHECKS
/** Name of a check. */
export type ReceiverCheckName = SingleCheckName | DuplicateCheckName

/** Every check of a receiver by name, in the order of a report. */
export const RECEIVER_CHECKS: Readonly<Record<ReceiverCheckName, ReceiverCheckEntry>> = {
  ...SINGLE_CHECKS,
  ...DUPLICATE_CHECKS,
}

function accept(entry: Pick<SingleEntry, 'description' | 'hint' | 'probe'>): SingleEntry {
  return { required: true, expected: '2xx', ...entry }
}

function refuse(
  entry: Pick<SingleEntry, 'description' | 'hint' | 'probe'> & { required?: boolean },
): SingleEntry {
  return { required: true, expected: '4xx', ...entry }
}

function parts({ headers }: Pick<Probe, 'headers'>, body: string): Probe {
  return { headers, body }
}

function signatureChanged(change: (value: string) => string): SingleEntry['probe'] {
  return (delivery) => parts(setHeader(delivery, SIGNATURE, change), delivery.body)
}

function renamed(delivery: GenuineDelivery, event: string, id: number): Probe {
  const { form, response } = delivery.payload
  const body = JSON.stringify({ event, form, response: { ...response, id } })
  const { headers } = setHeader(withBody(delivery, body), 'X-Service-Event', event)
  return { headers, body }
}

/** Returns the body with another value and text of the last answer. */
function withLastAnswer({ payload }: GenuineDelivery, value: string, text: string): string {
  const { response } = payload
  const answers = response.answers.map((answer, index, { length }) =>
    index === length - 1 ? { ...answer, value, text } : answer,
  )
  return JSON.stringify({ ...payload, response: { ...response, answers } })
}
