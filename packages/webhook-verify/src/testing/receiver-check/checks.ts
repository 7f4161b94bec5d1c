import { randomUUID } from 'node:crypto'
import { removeHeader, setHeader, signAgain } from '../edit-delivery.ts'
import type { GenuineDelivery, NextDelivery, Probe } from './probe.ts'

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

/** The end of one request: its status and the start of an unexpected response, or why there is none. */
export type Outcome = { status: number; text?: string | undefined } | { status: null; reason: string }

/** What a check works with. */
interface Exchange {
  readonly next: NextDelivery
  send(probe: Probe): Promise<Outcome>
}

/** A check that can be run. */
interface CheckEntry extends ReceiverCheckEntry {
  /** Sends the requests of the check, and returns the outcome that decides. */
  readonly run: (exchange: Exchange) => Promise<Outcome>
  /** Whether it sends a delivery more than once, so that a count must see no other deliveries meanwhile. */
  readonly repeats: boolean
}

type Words = Pick<CheckEntry, 'description' | 'hint'>
/** A check that sends one request, which differs from a genuine delivery in one thing. */
type Single = Words & { required?: boolean; probe: (delivery: GenuineDelivery) => Probe }

const LARGE_BODY_BYTES = 900_000
const TEN_MINUTES = 600
const COPIES = 5
const SIGNATURE = 'X-Service-Signature'
const TIMESTAMP = 'X-Service-Timestamp'
const DELIVERY_ID = 'X-Service-Delivery'

/** Every check by name, in the order of a report. */
export const CHECKS = {
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
    probe: (delivery) => signAgain(delivery, { body: JSON.stringify(delivery.payload, null, 2) }),
  }),
  non_ascii: accept({
    description: 'answers in several scripts, as raw UTF-8',
    hint: 'The receiver decodes or escapes the body before it verifies it: compute the signature over the raw UTF-8 bytes.',
    probe: (delivery) => {
      const text = 'Café · 満足度 · رضا · 👩🏽‍🚀'
      return signAgain(delivery, { body: withLastAnswer(delivery, text, text) })
    },
  }),
  chunked: accept({
    description: 'a body in chunks, without Content-Length',
    hint: 'The receiver depends on Content-Length: read the body until it ends, since a proxy may send it with Transfer-Encoding: chunked.',
    probe: (delivery) => ({ ...delivery, chunked: true }),
  }),
  large_body: accept({
    description: 'a body of 900 kB',
    hint: 'The receiver limits the body to less than 900 kB: raise the limit of the server, the framework and every proxy to 2.5 MiB.',
    probe: (delivery) => {
      const spare = LARGE_BODY_BYTES - withLastAnswer(delivery, '', '').length
      const value = 'y'.repeat(Math.floor(spare / 2))
      return signAgain(delivery, {
        body: withLastAnswer(delivery, value, 'y'.repeat(spare - value.length)),
      })
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
      const answers = response.answers.map((answer) => ({ ...answer, hidden: false }))
      const meta = { ...response.meta, country: 'DE' }
      const body = JSON.stringify({
        event,
        form: { ...form, folder: { id: 7 } },
        response: { ...response, answers, meta, language: 'en' },
        api_version: '1.1',
      })
      return signAgain(delivery, { body })
    },
  }),
  header_case: accept({
    description: 'header names in lower case, as HTTP/2 proxies write them',
    hint: 'The receiver looks the headers up in one spelling: compare header names without regard to case.',
    probe: (delivery) => ({
      ...delivery,
      headers: delivery.headers.map(([name, value]) => [name.toLowerCase(), value]),
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
    probe: (delivery) => ({ ...delivery, body: delivery.body.replace('"value":5', '"value":4') }),
  }),
  reserialized_body: refuse({
    description: 'the same JSON in other bytes than the signed ones',
    hint: 'You verify the JSON after parsing it again: keep the raw bytes of the request and compute the HMAC over them.',
    probe: (delivery) => ({ ...delivery, body: JSON.stringify(delivery.payload, null, 2) }),
  }),
  wrong_secret: refuse({
    description: 'signed with the secret of another endpoint',
    hint: 'The receiver accepts a signature made with any secret: compare it with the HMAC keyed with the secret of this endpoint.',
    probe: (delivery) => signAgain(delivery, { secret: `${delivery.secret}_of_another_endpoint` }),
  }),
  missing_signature: refuse({
    description: 'no X-Service-Signature header',
    hint: 'The receiver accepts a delivery without a signature: refuse it with 400 or 401.',
    probe: (delivery) => removeHeader(delivery, SIGNATURE),
  }),
  missing_timestamp: refuse({
    description: 'no X-Service-Timestamp header',
    hint: 'The receiver handles a missing timestamp wrongly: refuse a delivery without X-Service-Timestamp with 400 before you compute anything.',
    probe: (delivery) => removeHeader(delivery, TIMESTAMP),
  }),
  signature_without_prefix: refuse({
    description: 'the signature without "sha256="',
    hint: 'The receiver accepts a signature without "sha256=": require the prefix, which names the algorithm.',
    probe: (delivery) => setHeader(delivery, SIGNATURE, (value) => value.slice(7)),
  }),
  uppercase_signature: refuse({
    required: false,
    description: 'the hex digits of the signature in upper case',
    hint: 'The receiver accepts uppercase hex digits, which the service never sends: compare the text of the signature exactly.',
    probe: (delivery) => setHeader(delivery, SIGNATURE, (value) => `sha256=${value.slice(7).toUpperCase()}`),
  }),
  old_timestamp: refuse({
    description: 'signed ten minutes ago',
    hint: 'The receiver accepts old deliveries, so that captured ones can be replayed: refuse timestamps more than 5 minutes ago.',
    probe: (delivery) => signedLater(delivery, -TEN_MINUTES),
  }),
  future_timestamp: refuse({
    description: 'signed ten minutes ahead',
    hint: 'The receiver accepts timestamps in the future, which stay replayable for longer: refuse those more than 5 minutes ahead too.',
    probe: (delivery) => signedLater(delivery, TEN_MINUTES),
  }),
  tampered_timestamp: refuse({
    description: 'another timestamp than the signed one, within the tolerance',
    hint: 'The receiver does not verify the timestamp as it was received: the HMAC covers the exact text of X-Service-Timestamp, a dot and the raw body.',
    probe: (delivery) => setHeader(delivery, TIMESTAMP, String(delivery.timestampSeconds - 5)),
  }),
  empty_body: refuse({
    description: 'no body',
    hint: 'The receiver handles an empty body wrongly: verify it like any other body, and refuse it with 400 or 401.',
    probe: (delivery) => ({ ...delivery, body: '' }),
  }),
  truncated_signature: refuse({
    description: 'the first half of the signature',
    hint: 'The receiver compares only as many characters as it was sent: compare the whole signature in constant time, and refuse another length first.',
    probe: (delivery) => setHeader(delivery, SIGNATURE, (value) => value.slice(0, 7 + 32)),
  }),
  not_post: refuse({
    required: false,
    description: 'PUT instead of POST',
    hint: 'The receiver handles other methods than POST: respond to them with 405.',
    probe: (delivery) => ({ ...delivery, method: 'PUT' }),
  }),
  same_delivery_twice: repeat({
    description: 'the same delivery again with a new signature, as the service retries it',
    hint: 'The receiver refuses or repeats a delivery that it has handled: remember its event, form id and response id, and respond to a repetition with 200.',
    run: (exchange) => deliverTwice(exchange, (first) => signedLater(first, 1)),
  }),
  same_response_new_delivery_id: repeat({
    description: 'the same response under a new delivery id, as "Replay" in the app sends it',
    hint: 'The receiver refuses or repeats a response that was replayed: recognize duplicates by event, form id and response id, which are signed, not by the delivery id.',
    run: (exchange) =>
      deliverTwice(exchange, (first) => setHeader(signedLater(first, 1), DELIVERY_ID, randomUUID())),
  }),
  concurrent_duplicates: repeat({
    description: 'the same delivery five times at once; 409 is accepted too, except for all of them',
    hint: 'The receiver does not cope with copies that arrive at the same time: claim the response id atomically (a unique key) before you handle it, and respond to the others with 200 or 409.',
    run: deliverAtOnce,
  }),
} as const satisfies Record<string, CheckEntry>

/** Name of a check. */
export type ReceiverCheckName = keyof typeof CHECKS

/** Every check of a receiver by name, in the order of a report. */
export const RECEIVER_CHECKS: Readonly<Record<ReceiverCheckName, ReceiverCheckEntry>> = { ...CHECKS }

/** Whether a status is the expected one. */
export function isExpected(expected: ExpectedStatus, status: number | null): boolean {
  if (status === null) return false
  return expected === '2xx' ? status >= 200 && status < 300 : status >= 400 && status < 500
}

function accept(single: Single): CheckEntry {
  return { ...single, required: true, expected: '2xx', repeats: false, run: sendOne(single) }
}

function refuse(single: Single): CheckEntry {
  return { required: true, ...single, expected: '4xx', repeats: false, run: sendOne(single) }
}

function repeat(entry: Words & Pick<CheckEntry, 'run'>): CheckEntry {
  return { ...entry, required: true, expected: '2xx', repeats: true }
}

function sendOne({ probe }: Single): CheckEntry['run'] {
  return ({ next, send }) => send(probe(next()))
}

/** Sends a delivery and, if it is accepted, another one of the same response. */
async function deliverTwice(
  { next, send }: Exchange,
  repetition: (first: GenuineDelivery) => Probe,
): Promise<Outcome> {
  // Signed a second earlier than the repetition, as the attempts of a delivery have different signatures.
  const first = next(1)
  const outcome = await send(first)
  return isExpected('2xx', outcome.status) ? send(repetition(first)) : outcome
}

async function deliverAtOnce({ next, send }: Exchange): Promise<Outcome> {
  const delivery = next()
  const outcomes = await Promise.all(Array.from({ length: COPIES }, () => send(delivery)))
  const isAccepted = ({ status }: Outcome) => isExpected('2xx', status)
  const wrong = outcomes.find((outcome) => !isAccepted(outcome) && outcome.status !== 409)
  return wrong ?? outcomes.find(isAccepted) ?? (outcomes[0] as Outcome)
}

function signedLater(delivery: GenuineDelivery, seconds: number): Probe {
  return signAgain(delivery, { timestampSeconds: delivery.timestampSeconds + seconds })
}

function renamed(delivery: GenuineDelivery, event: string, id: number): Probe {
  const { form, response } = delivery.payload
  const body = JSON.stringify({ event, form, response: { ...response, id } })
  return setHeader(signAgain(delivery, { body }), 'X-Service-Event', event)
}

/** Returns the body with another value and text of the last answer. */
function withLastAnswer({ payload }: GenuineDelivery, value: string, text: string): string {
  const { response } = payload
  const answers = response.answers.map((answer, index, { length }) =>
    index === length - 1 ? { ...answer, value, text } : answer,
  )
  return JSON.stringify({ ...payload, response: { ...response, answers } })
}
