/** What a code means, the status a receiver answers with, and the mistake that is usually behind it. */
interface ErrorCodeEntry {
  /** HTTP status of the receiver's answer. The service retries on every status but a 2xx (DLV-05). */
  readonly status: number
  /** When the code is given. */
  readonly meaning: string
  /** The likely mistake and what to do about it. */
  readonly hint: string
}

/**
 * Every code of a {@link WebhookVerificationError}. The README's table is held against this one by a test.
 * 4xx: the request is not a delivery to trust. 5xx: the receiver itself is at fault, and the retry may succeed.
 */
export const ERROR_CODES = {
  missing_header: {
    status: 400,
    meaning: 'The signature or the timestamp header is not there.',
    hint: 'Pass the headers of the request itself. A proxy or gateway in front must forward every X-Service-* header.',
  },
  malformed_header: {
    status: 400,
    meaning:
      'A header is not written as the service writes it: repeated, with white space inside, uppercase hex, not plain decimal seconds.',
    hint: 'Pass header values as they were received; do not trim, join, re-encode or convert them.',
  },
  timestamp_too_old: {
    status: 400,
    meaning: 'The attempt was signed longer ago than the tolerance.',
    hint: "The receiver's clock may be ahead (check NTP), the request waited in a queue, or somebody replays a captured delivery. Verify on arrival, before queueing.",
  },
  timestamp_in_future: {
    status: 400,
    meaning: 'The attempt was signed further in the future than the tolerance.',
    hint: "The receiver's clock is probably behind: check NTP. Timestamps are Unix seconds, not milliseconds.",
  },
  no_match: {
    status: 401,
    meaning: 'No secret gives the signature of these bytes.',
    hint: 'Pass the raw bytes as received (not parsed and serialised again) and the secret of this very endpoint, complete with whsec_. "New secret" in the app makes the old one invalid at once.',
  },
  event_mismatch: {
    status: 400,
    meaning: 'The event header, which is not signed, contradicts the signed body.',
    hint: 'Something between the service and the receiver changed X-Service-Event. Forward it unchanged or drop it; the type is taken from the body.',
  },
  missing_body: {
    status: 500,
    meaning: 'There is no body to verify.',
    hint: 'Read the raw body first and pass it on. In Express, body is undefined until a parser such as express.raw() ran.',
  },
  body_already_parsed: {
    status: 500,
    meaning: 'The body was parsed or read by something else first; the signed bytes are gone.',
    hint: 'A JSON body parser runs in front of this route. Mount the webhook route before it, or keep the raw bytes (Buffer) for this route.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the limit.',
    hint: 'Raise maxBodyBytes (default 1 MiB) if your forms really send bodies of this size.',
  },
  body_read_failed: {
    status: 400,
    meaning: 'The connection broke before the whole body had arrived.',
    hint: 'The sender gave up or a proxy cut the request; the service tries again.',
  },
  invalid_json: {
    status: 400,
    meaning: 'The signature holds, but the body is not JSON.',
    hint: 'The sender knows the secret but does not send what the service sends. Check what else signs with this secret.',
  },
  unexpected_payload: {
    status: 400,
    meaning: 'The signature holds and the body is JSON, but not an event.',
    hint: 'The sender knows the secret but does not send what the service sends, or this library is older than the event: update it.',
  },
  invalid_secret: {
    status: 500,
    meaning: 'The secret is missing, empty, blank or not a string.',
    hint: 'Is the environment variable that holds it set in this process? A secret begins whsec_ and is shown once, when the endpoint is created.',
  },
  invalid_option: {
    status: 500,
    meaning: 'Another option has a value that cannot be used.',
    hint: 'See the message for the option and the values it takes.',
  },
} as const satisfies Record<string, ErrorCodeEntry>

/** Code of a {@link WebhookVerificationError}. */
export type WebhookErrorCode = keyof typeof ERROR_CODES
