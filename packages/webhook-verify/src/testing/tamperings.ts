import type { WebhookErrorCode } from '../verification/errors.ts'
import { removeHeader, type Subject, setHeader, signAgain } from './edit-delivery.ts'
import type { RequestParts } from './requests.ts'

/** One kind of tampering. */
interface TamperingEntry {
  /** The error code of the refusal. */
  code: WebhookErrorCode
  /** How the delivery differs from a genuine one. */
  description: string
  tamper(subject: Subject): RequestParts
}

const HOUR_SECONDS = 3600

/** All kinds of tampering by name, each with the error code that it must be refused with. */
export const TAMPERINGS = {
  'changed-body': {
    code: 'no_match',
    description: 'one character of the body differs',
    tamper: (subject) => ({ ...subject, body: subject.body.replace('{', '{ ') }),
  },
  'truncated-body': {
    code: 'no_match',
    description: 'the last character of the body is missing',
    tamper: (subject) => ({ ...subject, body: subject.body.slice(0, -1) }),
  },
  'reserialised-body': {
    code: 'no_match',
    description: 'the body was parsed and serialized again',
    tamper: (subject) => ({ ...subject, body: JSON.stringify(JSON.parse(subject.body), null, 2) }),
  },
  'changed-timestamp': {
    code: 'no_match',
    description: 'the timestamp is one second later than the one that was signed',
    tamper: (subject) => setHeader(subject, 'X-Service-Timestamp', String(subject.timestampSeconds + 1)),
  },
  'changed-signature': {
    code: 'no_match',
    description: 'one digit of the signature differs',
    tamper: (subject) =>
      setHeader(subject, 'X-Service-Signature', (value) =>
        value.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
  },
  'wrong-secret': {
    code: 'no_match',
    description: 'signed with the secret of another endpoint',
    tamper: (subject) => signAgain(subject, { secret: 'whsec_of_another_endpoint' }),
  },
  'missing-signature': {
    code: 'missing_header',
    description: 'the signature header is missing',
    tamper: (subject) => removeHeader(subject, 'X-Service-Signature'),
  },
  'missing-timestamp': {
    code: 'missing_header',
    description: 'the timestamp header is missing',
    tamper: (subject) => removeHeader(subject, 'X-Service-Timestamp'),
  },
  'uppercase-signature': {
    code: 'malformed_header',
    description: 'the hex digits are uppercase',
    tamper: (subject) =>
      setHeader(subject, 'X-Service-Signature', (value) => `sha256=${value.slice(7).toUpperCase()}`),
  },
  'signature-given-twice': {
    code: 'malformed_header',
    description: 'the signature header occurs twice',
    tamper: (subject) => ({
      ...subject,
      headers: [...subject.headers, ...subject.headers.filter(([name]) => name === 'X-Service-Signature')],
    }),
  },
  'timestamp-in-milliseconds': {
    code: 'timestamp_in_future',
    description: 'the timestamp is in milliseconds and signed as such',
    tamper: (subject) => signAgain(subject, { timestampSeconds: subject.timestampSeconds * 1000 }),
  },
  'fractional-timestamp': {
    code: 'malformed_header',
    description: 'the timestamp has a fraction',
    tamper: (subject) => setHeader(subject, 'X-Service-Timestamp', `${subject.timestampSeconds}.0`),
  },
  'too-old': {
    code: 'timestamp_too_old',
    description: 'signed an hour earlier',
    tamper: (subject) => signAgain(subject, { timestampSeconds: subject.timestampSeconds - HOUR_SECONDS }),
  },
  'in-future': {
    code: 'timestamp_in_future',
    description: 'signed an hour ahead',
    tamper: (subject) => signAgain(subject, { timestampSeconds: subject.timestampSeconds + HOUR_SECONDS }),
  },
  'other-event-header': {
    code: 'event_mismatch',
    description: 'the event header, which is not signed, names another event',
    tamper: (subject) => setHeader(subject, 'X-Service-Event', 'form.deleted'),
  },
  'not-json': {
    code: 'invalid_json',
    description: 'signed, but not JSON',
    tamper: (subject) => signAgain(subject, { body: 'not json' }),
  },
  'not-an-event': {
    code: 'unexpected_payload',
    description: 'signed JSON, but not an event',
    tamper: (subject) => signAgain(subject, { body: '[]' }),
  },
} as const satisfies Record<string, TamperingEntry>

/** Name of a kind of tampering. */
export type Tampering = keyof typeof TAMPERINGS
