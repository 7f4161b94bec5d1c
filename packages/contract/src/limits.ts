/** Requests a minute a key, RATE-01. By itself, so that a bundle that needs this number alone does not carry {@link LIMITS}. */
export const REQUESTS_PER_MINUTE = 120

/** `Retry-After` of a 429, in seconds, RATE-01 and RATE-02. By itself for the same reason. */
export const RETRY_AFTER_SECONDS = 60

/** The limits that the service documents. Times are in the unit that the name carries. */
export const LIMITS = {
  /** Requests a minute a key, RATE-01. */
  requestsPerMinute: REQUESTS_PER_MINUTE,
  /** Failed authentications a minute an IP address, RATE-02. */
  failedAuthPerMinute: 30,
  /** `Retry-After` of a 429, in seconds, RATE-01 and RATE-02. */
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  /** Active keys a user, AUTH-08. */
  activeKeys: 10,
  /** `per_page` when none is given, ENV-06. */
  perPageDefault: 25,
  /** Largest `per_page`, ENV-06. */
  perPageMax: 100,
  /** Longest form title through the API, in Unicode code points, FORM-05. */
  titleMaxCodePoints: 200,
  /** Characters of a form id, FORM-03. */
  formIdLength: 12,
  /** Webhook endpoints a form, HOOK-06. */
  webhooksPerForm: 10,
  /** Longest webhook url in characters, HOOK-04. */
  webhookUrlMaxLength: 500,
  /** Deadline of one delivery attempt in milliseconds, DLV-05. */
  deliveryTimeoutMs: 10_000,
  /** Entries that the delivery log of an endpoint shows, DLV-07. */
  deliveryLogEntries: 50,
  /** Age in days at which a delivery that is not pending is deleted, DLV-09. */
  deliveryRetentionDays: 30,
  /** Characters (Unicode code points) of the receiver's answer that are kept, DLV-07. */
  receiverAnswerMaxLength: 300,
  /** Largest request body in bytes, ERR-01 (1 MiB). */
  bodyMaxBytes: 1_048_576,
} as const

/** Ports that a webhook url may name in production, HOOK-04. */
export const WEBHOOK_PORTS: readonly number[] = [80, 443, 8080, 8443]

/**
 * Milliseconds between the end of a failed attempt and the next one: after the first failure 1 minute, then 5 minutes,
 * 30 minutes, 2 hours and 12 hours. Six attempts in all (DLV-06).
 */
export const RETRY_DELAYS_MS: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]

/** Attempts of one delivery, the first included (DLV-06). */
export const DELIVERY_ATTEMPTS = 6

/** Prefix of every API key, AUTH-06. */
export const KEY_PREFIX = 'svc_'

/** Prefix of every endpoint secret, HOOK-02. */
export const SECRET_PREFIX = 'whsec_'

/** Path under which version 1 of the API lives, VER-01. */
export const API_ROOT = '/api/v1'
