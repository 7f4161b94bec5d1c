import { RECEIVER_CHECKS, type ReceiverCheckName } from '@formwire/webhook-verify/testing'
import { BareReceiver, type Received, readAll } from './bare-receiver.ts'

/** A receiver with one defect. */
interface Defect {
  /** The receiver does this. */
  name: string
  create: () => BareReceiver
  /** The checks that fail, in the order of the report. */
  fails: readonly ReceiverCheckName[]
  /** In process instead of over HTTP, where the order of events must not depend on sockets. */
  inProcess?: boolean
}

const ALL = Object.keys(RECEIVER_CHECKS) as ReceiverCheckName[]
const ACCEPT = ALL.filter((name) => RECEIVER_CHECKS[name].expected === '2xx')
const REFUSE = ALL.filter((name) => RECEIVER_CHECKS[name].expected === '4xx')
const KNOWN_MEMBERS = {
  top: ['event', 'form', 'response'],
  response: ['id', 'submitted_at', 'answers', 'score', 'max_score', 'meta'],
}

/** Returns a correct receiver with these members replaced. */
function receiver(members: Partial<BareReceiver> & ThisType<BareReceiver>): () => BareReceiver {
  return () => Object.assign(new BareReceiver(), members)
}

const base = BareReceiver.prototype

export const DEFECTS: readonly Defect[] = [
  {
    name: 'serves nothing at this path',
    create: receiver({ early: () => 404 }),
    fails: ['genuine'],
  },
  {
    name: 'verifies with another formula',
    create: receiver({ signedBytes: (body) => Buffer.concat([Buffer.from('.'), body]) }),
    fails: ACCEPT,
  },
  {
    name: 'redirects what it accepts',
    create: receiver({ accepted: 302 }),
    fails: ACCEPT,
  },
  {
    name: 'does not compare the signature',
    create: receiver({ verifies: () => true }),
    fails: ['tampered_body', 'reserialized_body', 'wrong_secret', 'tampered_timestamp'],
  },
  {
    name: 'verifies JSON that it has serialized again',
    create: receiver({
      signedBytes: (body) => (body.length === 0 ? '' : JSON.stringify(JSON.parse(body.toString()))),
    }),
    fails: ['pretty_printed', 'reserialized_body'],
  },
  {
    name: 'escapes non-ASCII characters before it verifies',
    create: receiver({
      signedBytes: (body) =>
        body
          .toString()
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    }),
    fails: ['non_ascii'],
  },
  {
    name: 'decodes the body as Latin-1 before it verifies',
    create: receiver({ signedBytes: (body) => body.toString('latin1') }),
    fails: ['non_ascii'],
  },
  {
    name: 'removes white space before it verifies',
    create: receiver({ signedBytes: (body) => body.toString().replace(/\n */g, '').replace(/": /g, '":') }),
    fails: ['pretty_printed', 'reserialized_body'],
  },
  {
    name: 'accepts a missing signature',
    create: receiver({
      early: (received) => (base.header(received, 'x-service-signature') === undefined ? 200 : undefined),
    }),
    fails: ['missing_signature'],
  },
  {
    name: 'crashes on a missing signature',
    create: receiver({
      early: (received) => (base.header(received, 'x-service-signature') === undefined ? 500 : undefined),
    }),
    fails: ['missing_signature'],
  },
  {
    name: 'accepts a missing timestamp',
    create: receiver({
      early: (received) => (base.header(received, 'x-service-timestamp') === undefined ? 200 : undefined),
    }),
    fails: ['missing_timestamp'],
  },
  {
    name: 'accepts a signature without its prefix',
    create: receiver({ digitsOf: (signature) => /^(?:sha256=)?([0-9a-f]{64})$/.exec(signature)?.[1] }),
    fails: ['signature_without_prefix'],
  },
  {
    name: 'accepts uppercase digits',
    create: receiver({ digitsOf: (signature) => base.digitsOf(signature.toLowerCase()) }),
    fails: ['uppercase_signature'],
  },
  {
    name: 'compares as many digits as it was sent',
    create: receiver({
      digitsOf: (signature) => /^sha256=([0-9a-f]+)$/.exec(signature)?.[1],
      equal: (expected, digits) => expected.startsWith(digits),
    }),
    fails: ['truncated_signature'],
  },
  {
    name: 'compares the first eight digits',
    create: receiver({
      digitsOf: (signature) => /^sha256=([0-9a-f]+)$/.exec(signature)?.[1],
      equal: (expected, digits) => expected.slice(0, 8) === digits.slice(0, 8),
    }),
    fails: ['truncated_signature'],
  },
  {
    name: 'accepts any age',
    create: receiver({ fresh: () => true }),
    fails: ['old_timestamp', 'future_timestamp'],
  },
  {
    name: 'accepts old timestamps',
    create: receiver({ fresh: (age) => age >= -300 }),
    fails: ['old_timestamp'],
  },
  {
    name: 'accepts timestamps in the future',
    create: receiver({ fresh: (age) => age <= 300 }),
    fails: ['future_timestamp'],
  },
  {
    name: 'tries other timestamps than the received one',
    create: receiver({
      verifies(timestamp, digits, body) {
        return Array.from({ length: 21 }, (_, index) => String(Number(timestamp) - 10 + index)).some(
          (tried) => this.expected(tried, body) === digits,
        )
      },
    }),
    fails: ['tampered_timestamp'],
  },
  {
    name: 'takes an empty body for a health check',
    create: receiver({ early: ({ body }) => (body.length === 0 ? 200 : undefined) }),
    fails: ['empty_body'],
  },
  {
    name: 'crashes on an empty body',
    create: receiver({ early: ({ body }) => (body.length === 0 ? 500 : undefined) }),
    fails: ['empty_body'],
  },
  {
    name: 'handles other methods',
    create: receiver({ allows: () => true }),
    fails: ['not_post'],
  },
  {
    name: 'refuses test events',
    create: receiver({ refuses: ({ response }) => (response.id === 0 ? 422 : undefined) }),
    fails: ['test_ping'],
  },
  {
    name: 'refuses unknown events',
    create: receiver({
      refuses: ({ event }) => (/^(response\.submitted|test\.ping)$/.test(event) ? undefined : 400),
    }),
    fails: ['unknown_event'],
  },
  {
    name: 'refuses unknown fields',
    create: receiver({
      refuses: (event) =>
        Object.keys(event).every((name) => KNOWN_MEMBERS.top.includes(name)) &&
        Object.keys(event.response).every((name) => KNOWN_MEMBERS.response.includes(name))
          ? undefined
          : 422,
    }),
    fails: ['unknown_fields'],
  },
  {
    name: 'looks headers up in one spelling',
    create: receiver({ header: ({ headers }, wanted) => headers.find(([name]) => name === wanted)?.[1] }),
    fails: ['header_case'],
  },
  {
    name: 'requires Content-Length',
    create: receiver({
      read: async (request) => {
        const body = await readAll(request)
        return request.headers['content-length'] === undefined ? 411 : body
      },
    }),
    fails: ['chunked'],
  },
  {
    name: 'limits the body to 100 kB',
    create: receiver({ maxBytes: 100_000 }),
    fails: ['large_body'],
  },
  {
    name: 'closes the connection on a large body',
    create: receiver({
      async read(request) {
        const body = await readAll(request)
        if (body.length > 100_000) request.socket.destroy()
        return body
      },
    }),
    fails: ['large_body'],
  },
  {
    name: 'refuses with 500',
    create: receiver({ refused: 500 }),
    fails: REFUSE.filter((name) => name !== 'not_post'),
  },
  {
    name: 'refuses with 200 and an error in the body',
    create: receiver({ refused: 200 }),
    fails: REFUSE.filter((name) => name !== 'not_post'),
  },
  {
    name: 'handles duplicates again',
    create: receiver({ claim: async () => true }),
    fails: ['same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'],
  },
  {
    name: 'recognizes duplicates by the delivery id',
    create: receiver({ keyOf: (_event, received) => base.header(received, 'x-service-delivery') ?? '' }),
    fails: ['same_response_new_delivery_id'],
  },
  {
    name: 'recognizes duplicates by the signature',
    create: receiver({ keyOf: (_event, received) => base.header(received, 'x-service-signature') ?? '' }),
    fails: ['same_delivery_twice', 'same_response_new_delivery_id'],
  },
  {
    name: 'refuses duplicates with 409 for ever',
    create: receiver({ duplicate: () => 409 }),
    fails: ['same_delivery_twice', 'same_response_new_delivery_id'],
  },
  {
    name: 'fails on duplicates',
    create: receiver({ duplicate: () => 500 }),
    fails: ['same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'],
  },
  {
    name: 'refuses a signature that it has seen',
    create: () => {
      const seen = new Set<string>()
      return Object.assign(new BareReceiver(), {
        early(received: Received) {
          const signature = base.header(received, 'x-service-signature') ?? ''
          if (seen.has(signature)) return 401
          seen.add(signature)
          return undefined
        },
      })
    },
    fails: ['concurrent_duplicates'],
  },
  {
    name: 'checks for a duplicate and claims it later',
    create: receiver({
      async claim(key) {
        if (this.claimed.has(key)) return false
        await new Promise((resolve) => setImmediate(resolve))
        this.claimed.add(key)
        return true
      },
    }),
    fails: ['concurrent_duplicates'],
    inProcess: true,
  },
  {
    name: 'never counts what it handles',
    create: receiver({ respond: async () => 200 }),
    fails: ['same_delivery_twice', 'same_response_new_delivery_id', 'concurrent_duplicates'],
  },
]
