/** Requests per minute per key (RATE-01). Exported separately so that a bundle can include it without {@link LIMITS}. */
export const REQUESTS_PER_MINUTE = 120

/** `Retry-After` of a 429, in seconds (RATE-01, RATE-02). Exported separately for the same reason. */
export const RETRY_AFTER_SECONDS = 60

/** Default `per_page` (ENV-06). Exported separately for the same reason. */
export const DEFAULT_PER_PAGE = 25

/** The documented limits of the service. */
export const LIMITS = {
  /** Requests per minute per key (RATE-01). */
  requestsPerMinute: REQUESTS_PER_MINUTE,
  /** Failed authentications per minute per IP address (RATE-02). */
  failedAuthPerMinute: 30,
  /** `Retry-After` of a 429, in seconds (RATE-01, RATE-02). */
  retryAfterSeconds: RETRY_AFTER_SECONDS,
  /** Active keys per user (AUTH-08). */
  activeKeys: 10,
  /** Default `per_page` (ENV-06). */
  perPageDefault: DEFAULT_PER_PAGE,
  /** Maximum `per_page` (ENV-06). */
  perPageMax: 100,
  /** Maximum length of a form title set through the API, in Unicode code points (FORM-05). */
  titleMaxCodePoints: 200,
  /** Length of a form id (FORM-03). */
  formIdLength: 12,
  /** Webhook endpoints per form (HOOK-06). */
  webhooksPerForm: 10,
  /** Maximum length of an endpoint URL, in characters (HOOK-04). */
  webhookUrlMaxLength: 500,
  /** Timeout of a delivery attempt, in milliseconds (DLV-05). */
  deliveryTimeoutMs: 10_000,
  /** Deliveries that the log of an endpoint shows (DLV-07). */
  deliveryLogEntries: 50,
  /** Days after which a delivery that is not pending is deleted (DLV-09). */
  deliveryRetentionDays: 30,
  /** How much of a receiver's response body is kept, in Unicode code points (DLV-07). */
  receiverAnswerMaxLength: 300,
  /** Maximum size of a request body, in bytes: 1 MiB (ERR-01). */
  bodyMaxBytes: 1_048_576,
} as const

/** Ports that an endpoint URL may have in production (HOOK-04). */
export const WEBHOOK_PORTS: readonly number[] = [80, 443, 8080, 8443]

/**
 * Delays between the end of a failed attempt and the next one, in milliseconds: 1 minute, 5 minutes, 30 minutes, 2 hours
 * and 12 hours. This makes six attempts in total (DLV-06).
 */
export const RETRY_DELAYS_MS: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]

/** Maximum number of attempts per delivery, including the first (DLV-06). */
export const DELIVERY_ATTEMPTS = 6

/** Prefix of every API key (AUTH-06). */
export const KEY_PREFIX = 'svc_'

/** Prefix of every endpoint secret (HOOK-02). */
export const SECRET_PREFIX = 'whsec_'

/** Path prefix of version 1 of the API (VER-01). */
export const API_ROOT = '/api/v1'

/** Maximum length of the language of a form, which only the control API has. */
export const LANGUAGE_MAX_LENGTH = 35
