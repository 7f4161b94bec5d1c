/**
 * What the service document leaves open: each key with the values that a real deployment might show. The first value
 * is the default; `docs/decisions/` has a record for each.
 */
export const UNSPECIFIED = {
  /** Success of `DELETE …/webhooks/{id}`, HOOK-03. */
  webhookDelete: ['200', '204'],
  /** PATCH with no known field, FORM-11. */
  patchWithoutField: ['422', '400'],
  /** A status sent for a form that is not published, FORM-06. */
  statusOfUnpublished: ['422', '400', '403', '409'],
  /** `published` of a closed form, FORM-06. */
  publishedWhenClosed: ['true', 'false'],
  /** When a closed form may be published again, FORM-08. */
  reopen: ['always', 'refusedPastEnd'],
  /** Whether a new response moves the form's `updated_at`, FORM-10. */
  touchOnResponse: ['false', 'true'],
  /** `GET /forms/{id}` of a trashed form, FORM-03. */
  trashedById: ['404', '200'],
  /** A page past the end of a list, ENV-06. */
  pagePastEnd: ['empty', '422'],
  /** Unknown query parameters and body fields, ENV-09. */
  unknownParameters: ['ignored', '422'],
  /** One endpoint more than a form may have, HOOK-06. */
  eleventhEndpoint: ['422', '403'],
  /** Fields in the webhook list beyond those of the create answer, HOOK-01. */
  webhookListExtras: ['false', 'true'],
  /** A webhook url whose host does not resolve, HOOK-04. */
  unresolvableHost: ['422', 'accepted'],
  /** A plan without API access, AUTH-11. */
  noPlanAccess: ['403', '401'],
  /** Shape of the rate window, RATE-03. */
  rateWindow: ['sliding', 'fixed'],
  /** A valid key from an address with too many failed authentications, RATE-02. */
  validKeyFromBlockedAddress: ['served', '429'],
  /** Waiting deliveries of a response that is deleted, DLV-06. */
  deletedResponseDeliveries: ['cancelled', 'kept'],
  /** `submitted_at` of a draft, RESP-05. */
  draftSubmittedAt: ['null', 'lastSaved'],
  /** How timestamps are written, ENV-05. */
  timestamps: ['milliseconds', 'seconds', 'microseconds', 'offset'],
  /** Unknown fields at every depth, ENV-04. */
  extraFields: ['false', 'true'],
  /** Members of `error.details`, ERR-03. */
  errorDetails: ['field', 'extra', 'none'],
  /** Whether answers carry `X-Request-Id`. */
  requestIdHeader: ['true', 'false'],
  /** Content encoding of answers for clients that accept it. */
  compression: ['none', 'gzip'],
} as const

export type UnspecifiedKey = keyof typeof UNSPECIFIED

/** One value for each key. */
export type Unspecified = { readonly [Key in UnspecifiedKey]: (typeof UNSPECIFIED)[Key][number] }

/** The default of each key: its first value. */
export const DEFAULT_UNSPECIFIED = Object.fromEntries(
  Object.entries(UNSPECIFIED).map(([key, values]) => [key, values[0]]),
) as Unspecified
