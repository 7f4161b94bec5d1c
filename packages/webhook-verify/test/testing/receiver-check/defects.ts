import { RECEIVER_CHECKS, type ReceiverCheckName } from '@formwire/webhook-verify/testing'
import { BareReceiver, type Received, readAll } from './bare-receiver.ts'

/** A receiver with one defect. */
type Defect = [
  does: string,
  /** The members that replace those of a correct receiver. */
  members: Partial<BareReceiver> & ThisType<BareReceiver>,
  /** The checks that fail, in the order of the report. */
  fails: readonly ReceiverCheckName[],
  /** In process instead of over HTTP, where the order of events must not depend on sockets. */
  inProcess?: boolean,
]

const ALL = Object.keys(RECEIVER_CHECKS) as ReceiverCheckName[]
const ACCEPT = ALL.filter((name) => RECEIVER_CHECKS[name].expected === '2xx')
const REFUSE = ALL.filter((name) => RECEIVER_CHECKS[name].expected === '4xx' && name !== 'not_post')
const DUPLICATES: ReceiverCheckName[] = [
  'same_delivery_twice',
  'same_response_new_delivery_id',
  'concurrent_duplicates',
]
const KNOWN_MEMBERS = {
  top: ['event', 'form', 'response'],
  response: ['id', 'submitted_at', 'answers', 'score', 'max_score', 'meta'],
}

const base = BareReceiver.prototype

/** The digits of a signature, however many. */
const anyDigitsOf = (signature: string) => /^sha256=([0-9a-f]+)$/.exec(signature)?.[1]

/** Responds with a status to a request that lacks a header. */
const without = (name: string, status: number) => (received: Received) =>
  base.header(received, name) === undefined ? status : undefined

export const DEFECTS: readonly Defect[] = [
  [
    'verifies with another formula',
    { signedBytes: (body) => Buffer.concat([Buffer.from('.'), body]) },
    ACCEPT,
  ],
  ['redirects what it accepts', { accepted: 302 }, ACCEPT],
  [
    'does not compare the signature',
    { verifies: () => true },
    ['tampered_body', 'reserialized_body', 'wrong_secret', 'tampered_timestamp'],
  ],
  [
    'verifies JSON that it has serialized again',
    { signedBytes: (body) => (body.length === 0 ? '' : JSON.stringify(JSON.parse(body.toString()))) },
    ['pretty_printed', 'reserialized_body'],
  ],
  [
    'escapes non-ASCII characters before it verifies',
    {
      signedBytes: (body) =>
        body
          .toString()
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    },
    ['non_ascii'],
  ],
  ['accepts a missing signature', { early: without('x-service-signature', 200) }, ['missing_signature']],
  ['accepts a missing timestamp', { early: without('x-service-timestamp', 200) }, ['missing_timestamp']],
  [
    'accepts a signature without its prefix',
    { digitsOf: (signature) => /^(?:sha256=)?([0-9a-f]{64})$/.exec(signature)?.[1] },
    ['signature_without_prefix'],
  ],
  [
    'accepts uppercase digits',
    { digitsOf: (signature) => base.digitsOf(signature.toLowerCase()) },
    ['uppercase_signature'],
  ],
  [
    'compares as many digits as it was sent',
    { digitsOf: anyDigitsOf, equal: (expected, digits) => expected.startsWith(digits) },
    ['truncated_signature'],
  ],
  ['accepts timestamps in the future', { fresh: (age) => age <= 300 }, ['future_timestamp']],
  ['accepts any age', { fresh: () => true }, ['old_timestamp', 'future_timestamp']],
  [
    'tries other timestamps than the received one',
    {
      verifies(timestamp, digits, body) {
        return Array.from({ length: 21 }, (_, index) => String(Number(timestamp) - 10 + index)).some(
          (tried) => this.expected(tried, body) === digits,
        )
      },
    },
    ['tampered_timestamp'],
  ],
  [
    'takes an empty body for a health check',
    { early: ({ body }) => (body.length === 0 ? 200 : undefined) },
    ['empty_body'],
  ],
  ['handles other methods', { allows: () => true }, ['not_post']],
  [
    'refuses test events',
    { refuses: ({ response }) => (response.id === 0 ? 422 : undefined) },
    ['test_ping'],
  ],
  [
    'refuses unknown events',
    { refuses: ({ event }) => (/^(response\.submitted|test\.ping)$/.test(event) ? undefined : 400) },
    ['unknown_event'],
  ],
  [
    'refuses unknown fields',
    {
      refuses: (event) =>
        Object.keys(event).every((name) => KNOWN_MEMBERS.top.includes(name)) &&
        Object.keys(event.response).every((name) => KNOWN_MEMBERS.response.includes(name))
          ? undefined
          : 422,
    },
    ['unknown_fields'],
  ],
  [
    'looks headers up in one spelling',
    { header: ({ headers }, wanted) => headers.find(([name]) => name === wanted)?.[1] },
    ['header_case'],
  ],
  [
    'requires Content-Length',
    {
      read: async (request) => {
        const body = await readAll(request)
        return request.headers['content-length'] === undefined ? 411 : body
      },
    },
    ['chunked'],
  ],
  ['limits the body to 100 kB', { maxBytes: 100_000 }, ['large_body']],
  [
    'closes the connection on a large body',
    {
      async read(request) {
        const body = await readAll(request)
        if (body.length > 100_000) request.socket.destroy()
        return body
      },
    },
    ['large_body'],
  ],
  ['refuses with 500', { refused: 500 }, REFUSE],
  ['handles duplicates again', { claim: async () => true }, DUPLICATES],
  [
    'recognizes duplicates by the delivery id',
    { keyOf: (_event, received) => base.header(received, 'x-service-delivery') ?? '' },
    ['same_response_new_delivery_id'],
  ],
  [
    'refuses duplicates with 409 for ever',
    { duplicate: () => 409 },
    ['same_delivery_twice', 'same_response_new_delivery_id'],
  ],
  [
    'refuses a signature that it has seen',
    {
      early(received) {
        const signature = base.header(received, 'x-service-signature') ?? ''
        if (this.claimed.has(signature)) return 401
        this.claimed.add(signature)
        return undefined
      },
    },
    ['concurrent_duplicates'],
  ],
  [
    'checks for a duplicate and claims it later',
    {
      async claim(key) {
        if (this.claimed.has(key)) return false
        await new Promise((resolve) => setImmediate(resolve))
        this.claimed.add(key)
        return true
      },
    },
    ['concurrent_duplicates'],
    true,
  ],
  ['never counts what it handles', { respond: async () => 200 }, DUPLICATES],
]
