/**
 * Unspecified behaviour: each key with the values that a real deployment might show. The first value is the default.
 * `docs/decisions/` has a record for each key.
 */
export const UNSPECIFIED = {
  /** Success of `DELETE …/webhooks/{id}`, HOOK-03. */
  webhookDelete: ['200', '204'],
  /** Status of a PATCH without a known field, FORM-11. */
  patchWithoutField: ['422', '400'],
  /** HTTP status when a PATCH sets the status of a form that is not published, FORM-06. */
  statusOfUnpublished: ['422', '400', '403', '409'],
  /** Value of `published` for a closed form, FORM-06. */
  publishedWhenClosed: ['true', 'false'],
  /** When a closed form may be published again, FORM-08. */
  reopen: ['always', 'refusedPastEnd'],
  /** Whether a new response updates the form's `updated_at`, FORM-10. */
  touchOnResponse: ['false', 'true'],
  /** `GET /forms/{id}` of a trashed form, FORM-03. */
  trashedById: ['404', '200'],
  /** A page past the end of a list, ENV-06. */
  pagePastEnd: ['empty', '422'],
  /** Unknown query parameters and body fields, ENV-09. */
  unknownParameters: ['ignored', '422'],
  /** Status when a form has too many endpoints, HOOK-06. */
  eleventhEndpoint: ['422', '403'],
  /** Whether the webhook list has fields beyond those of the create response, HOOK-01. */
  webhookListExtras: ['false', 'true'],
  /** A webhook URL whose host does not resolve, HOOK-04. */
  unresolvableHost: ['422', 'accepted'],
  /** Status for a plan without API access, AUTH-11. */
  noPlanAccess: ['403', '401'],
  /** Shape of the rate window, RATE-03. */
  rateWindow: ['sliding', 'fixed'],
  /** A valid key from an address with too many failed authentications, RATE-02. */
  validKeyFromBlockedAddress: ['served', '429'],
  /** Pending deliveries of a deleted response, DLV-06. */
  deletedResponseDeliveries: ['cancelled', 'kept'],
  /** `submitted_at` of a draft, RESP-05. */
  draftSubmittedAt: ['null', 'lastSaved'],
  /** How timestamps are written, ENV-05. */
  timestamps: ['milliseconds', 'seconds', 'microseconds', 'offset'],
  /** Unknown fields at every depth, ENV-04. */
  extraFields: ['false', 'true'],
  /** Members of `error.details`, ERR-03. */
  errorDetails: ['field', 'extra', 'none'],
  /** Whether deleting a draft lowers `response_count`, FORM-12. */
  draftDeletion: ['countKept', 'countLowered'],
  /** Whether a form past its end date, or full, shows the status `closed`, FORM-13. */
  datesChangeStatus: ['false', 'true'],
  /** The id of a draft once it is submitted, RESP-09. */
  submittedDraft: ['sameId', 'newId'],
  /** Names of the question types beyond `rating` and `long_text`, RESP-07. */
  questionTypeNames: ['default', 'variant'],
  /** `text` of grids, files, addresses and numbers, RESP-07. */
  answerTexts: ['default', 'variant'],
  /** Whether the retry delay counts from the end or the start of the failed attempt, DLV-06. */
  retryDelayFrom: ['end', 'start'],
  /** Whether a retry sends the body of the first attempt or a newly built one, DLV-06. */
  retriedBody: ['sameBytes', 'fresh'],
  /** An attempt in flight when its endpoint is paused, HOOK-07. */
  attemptInFlightAtPause: ['endsByItself', 'failedAtOnce'],
  /** Whether responses have an `X-Request-Id` header. */
  requestIdHeader: ['true', 'false'],
  /** Content encoding of responses to clients that accept it. */
  compression: ['none', 'gzip'],
  /** A write key on a plan with API read access only, AUTH-11. */
  writeKeyOnReadPlan: ['mayRead', 'refused'],
  /** Whether the limit of active keys is per user or per workspace, AUTH-08. */
  keyLimitPer: ['user', 'workspace'],
  /** Whether a request refused with 429 counts towards the rate limit, RATE-03. */
  refusedRequestCounts: ['false', 'true'],
  /** Valid JSON that is not an object, ERR-01. */
  bodyNotAnObject: ['400', '422'],
  /** A body with a content type other than JSON, ERR-01. */
  wrongContentType: ['400', '415', 'ignored'],
  /** A body over the size limit, ERR-01. */
  bodyTooLarge: ['400', '413'],
  /** A method that the path does not support, ERR-02. */
  wrongMethod: ['404', '405'],
  /** Whether other origins may call the API from a browser, ENV-08. */
  cors: ['none', 'any'],
} as const

export type UnspecifiedKey = keyof typeof UNSPECIFIED

/** One value for each key. */
export type Unspecified = { readonly [Key in UnspecifiedKey]: (typeof UNSPECIFIED)[Key][number] }

/** The default of each key: its first value. */
export const DEFAULT_UNSPECIFIED = Object.fromEntries(
  Object.entries(UNSPECIFIED).map(([key, values]) => [key, values[0]]),
) as Unspecified
