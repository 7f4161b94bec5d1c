import type { WebhookErrorCode } from '../error-codes.ts'
import { hmacHex } from '../hmac.ts'
import type { RequestFacts } from './requests.ts'

/** What a tampering works on. */
interface Subject extends RequestFacts {
  secret: string
  body: string
  timestampSeconds: number
}

/** One way to spoil a delivery. */
interface TamperingEntry {
  /** What the verifier says of it. */
  code: WebhookErrorCode
  /** What was done. */
  what: string
  spoil(subject: Subject): RequestFacts
}

const HOUR_SECONDS = 3600

/** Ways to spoil a delivery, by name, each with the code that it must be refused with. */
export const TAMPERINGS = {
  'changed-body': {
    code: 'no_match',
    what: 'one character of the body differs',
    spoil: (subject) => ({ ...subject, body: subject.body.replace('{', '{ ') }),
  },
  'truncated-body': {
    code: 'no_match',
    what: 'the last character of the body is missing',
    spoil: (subject) => ({ ...subject, body: subject.body.slice(0, -1) }),
  },
  'reserialised-body': {
    code: 'no_match',
    what: 'the body was parsed and serialised again',
    spoil: (subject) => ({ ...subject, body: JSON.stringify(JSON.parse(subject.body), null, 2) }),
  },
  'changed-timestamp': {
    code: 'no_match',
    what: 'the timestamp is one second later than the one that was signed',
    spoil: (subject) => set(subject, 'X-Service-Timestamp', String(subject.timestampSeconds + 1)),
  },
  'changed-signature': {
    code: 'no_match',
    what: 'one digit of the signature differs',
    spoil: (subject) =>
      set(subject, 'X-Service-Signature', (value) =>
        value.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
      ),
  },
  'wrong-secret': {
    code: 'no_match',
    what: 'signed with the secret of another endpoint',
    spoil: (subject) => sign(subject, subject.timestampSeconds, subject.body, 'whsec_of_another_endpoint'),
  },
  'missing-signature': {
    code: 'missing_header',
    what: 'the signature header is not there',
    spoil: (subject) => remove(subject, 'X-Service-Signature'),
  },
  'missing-timestamp': {
    code: 'missing_header',
    what: 'the timestamp header is not there',
    spoil: (subject) => remove(subject, 'X-Service-Timestamp'),
  },
  'uppercase-signature': {
    code: 'malformed_header',
    what: 'the hex digits are uppercase',
    spoil: (subject) =>
      set(subject, 'X-Service-Signature', (value) => `sha256=${value.slice(7).toUpperCase()}`),
  },
  'signature-given-twice': {
    code: 'malformed_header',
    what: 'the signature header is there twice',
    spoil: (subject) => ({
      ...subject,
      headers: [...subject.headers, ...subject.headers.filter(([name]) => name === 'X-Service-Signature')],
    }),
  },
  'timestamp-in-milliseconds': {
    code: 'timestamp_in_future',
    what: 'the timestamp is in milliseconds, and signed so',
    spoil: (subject) => sign(subject, subject.timestampSeconds * 1000),
  },
  'fractional-timestamp': {
    code: 'malformed_header',
    what: 'the timestamp has a fraction',
    spoil: (subject) => set(subject, 'X-Service-Timestamp', `${subject.timestampSeconds}.0`),
  },
  'too-old': {
    code: 'timestamp_too_old',
    what: 'signed an hour earlier',
    spoil: (subject) => sign(subject, subject.timestampSeconds - HOUR_SECONDS),
  },
  'in-future': {
    code: 'timestamp_in_future',
    what: 'signed an hour ahead',
    spoil: (subject) => sign(subject, subject.timestampSeconds + HOUR_SECONDS),
  },
  'other-event-header': {
    code: 'event_mismatch',
    what: 'the event header, which is not signed, names another event',
    spoil: (subject) => set(subject, 'X-Service-Event', 'form.deleted'),
  },
  'not-json': {
    code: 'invalid_json',
    what: 'signed, but not JSON',
    spoil: (subject) => sign(subject, subject.timestampSeconds, 'not json'),
  },
  'not-an-event': {
    code: 'unexpected_payload',
    what: 'signed JSON, but not an event',
    spoil: (subject) => sign(subject, subject.timestampSeconds, '[]'),
  },
} as const satisfies Record<string, TamperingEntry>

/** Name of a way to spoil a delivery. */
export type Tampering = keyof typeof TAMPERINGS

function set(subject: Subject, wanted: string, value: string | ((old: string) => string)): RequestFacts {
  return {
    ...subject,
    headers: subject.headers.map(([name, old]) =>
      name === wanted ? [name, typeof value === 'string' ? value : value(old)] : [name, old],
    ),
  }
}

function remove(subject: Subject, unwanted: string): RequestFacts {
  return { ...subject, headers: subject.headers.filter(([name]) => name !== unwanted) }
}

function sign(subject: Subject, seconds: number, body = subject.body, secret = subject.secret): RequestFacts {
  const dated = set({ ...subject, body }, 'X-Service-Timestamp', String(seconds))
  return set(
    { ...subject, ...dated, body },
    'X-Service-Signature',
    `sha256=${hmacHex(secret, String(seconds), body)}`,
  )
}
