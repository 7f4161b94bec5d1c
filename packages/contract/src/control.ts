/**
 * Wire types of the control API, `/_app`: the routes of the reference server that do what people do in the web app.
 * Types only. The types of the public API, `/api/v1`, are in the main entry point.
 */
import type { KnownQuestionType } from './answer.ts'
import type { Form } from './form.ts'
import type { KeyScope, KnownWorkspaceRole } from './me.ts'
import type { Timestamp } from './open-enum.ts'
import type { KnownEventType } from './webhook.ts'

/** Plan of a workspace. It grants API reads, API writes and webhook endpoints (AUTH-11). */
export type PlanName = 'free' | 'starter' | 'business'

/** A workspace and its members. */
export interface Workspace {
  id: number
  name: string
  plan: PlanName
  created_at: Timestamp
  members: { user_id: number; role: KnownWorkspaceRole }[]
}

/** A user and the workspaces that the user is a member of. */
export interface User {
  id: number
  name: string
  email: string
  workspaces: { id: number; role: KnownWorkspaceRole }[]
}

/** An API key without its secret part. */
export interface ApiKey {
  id: number
  name: string
  /** Short leading part of the key, to tell keys apart. */
  prefix: string
  scope: KeyScope
  workspace_id: number
  user_id: number
  created_at: Timestamp
  /** `null` while active. */
  revoked_at: Timestamp | null
}

/** A new API key. The key itself is returned only here (AUTH-06). */
export interface CreatedApiKey extends ApiKey {
  key: string
}

/** One option of a choice or ranking, or one row or column of a grid. */
export interface Choice {
  readonly id: string
  readonly label: string
}

/** Shows a question only if an earlier question has a given answer. */
export interface ShowIf {
  /** An earlier question of the same form. */
  readonly question_id: string
  /** For choices, an option id that must be among `ids`. For other types, the whole value. */
  readonly equals: unknown
}

/** A question with its defaults filled in. Fields that do not apply to its type are left out. */
export interface Question {
  /** Unique within the form. */
  readonly id: string
  readonly type: KnownQuestionType
  readonly title: string
  readonly required: boolean
  /** Options of a choice or ranking. */
  readonly options?: readonly Choice[]
  /** Whether a choice accepts free text instead of, or in addition to, an option. */
  readonly allow_other?: boolean
  /** Points by option id. Options without an entry give no points. */
  readonly points?: Readonly<Record<string, number>>
  /** Rows of a grid. */
  readonly rows?: readonly Choice[]
  /** Columns of a grid. */
  readonly columns?: readonly Choice[]
  /** Lower bound: of a length, a number, a date, a time or a count of options, depending on the type. */
  readonly min?: number | string
  /** Upper bound of the same. */
  readonly max?: number | string
  readonly show_if?: ShowIf
}

/** An answer as a respondent submits it. A valid `value` has the wire shape of the question's type (RESP-07). */
export interface SubmittedAnswer {
  readonly question_id: string
  readonly value: unknown
}

/**
 * How the page of a form looks, next to its title and questions. Only the control API has these fields. Respondents see
 * a change after the next publication.
 */
export interface FormAppearance {
  /** Plain text below the title, or `null`. An empty line starts a paragraph. At most 2,000 characters. */
  intro: string | null
  /**
   * Language of the form's texts as a BCP 47 tag, such as `pt-BR`, or `null` if it is not known. It sets the page's
   * `lang`, and the direction of its layout.
   */
  language: string | null
  /** PNG, JPEG, GIF or WebP image of at most 100 KiB as a data URL, or `null`. */
  logo: string | null
  /** Colour of buttons, links and chosen answers as `#rrggbb`, or `null` for the default. */
  accent: string | null
}

/** A form as the builder shows it: the API's form, plus what the API does not return. */
export interface BuilderForm extends Form, FormAppearance {
  workspace_id: number
  /** The questions in the builder, which may be newer than the published ones. */
  questions: readonly Question[]
  /** Title that respondents see, or `null` before the form is first published (FORM-09). */
  published_title: string | null
  trashed: boolean
}

/** The new secret of a webhook endpoint. It is returned only here (HOOK-08). */
export interface RotatedSecret {
  /** Id of the endpoint. */
  id: number
  secret: string
}

/** Status of a delivery. `delivered` and `failed` are final (DLV-07). */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** Why an attempt failed. `http_<status>` is any status other than 2xx, redirects included (DLV-05). */
export type AttemptError =
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'address_refused'
  | 'protocol'
  | `http_${number}`

/** A delivery as the delivery log and the event stream show it (DLV-07). */
export interface Delivery {
  /** `X-Service-Delivery` of all its attempts. */
  id: string
  event: KnownEventType
  status: DeliveryStatus
  /** Id of the response, or 0 for a test event. */
  response_id: number
  /** The event that is sent. `{}` if the response was deleted before it could be sent. */
  payload: Record<string, unknown>
  /** HTTP status of the last attempt, or `null` if there was no response. */
  http_status: number | null
  /** First 300 characters of the last response body, or `null` if there was no response. */
  receiver_answer: string | null
  /** Number of attempts that have ended. */
  attempts: number
  /** When the next attempt is due, or `null` if there is none. */
  next_attempt_at: Timestamp | null
  /** Why the delivery failed before its last attempt. */
  note: string | null
  created_at: Timestamp
  form_id: string
  /** Id of the webhook endpoint. */
  webhook_id: number
}

/** One attempt of a delivery, once it has ended. */
export interface DeliveryAttempt {
  /** Number of the attempt, from 1. */
  number: number
  started_at: Timestamp
  /** Real milliseconds, even with a manual clock. */
  duration_ms: number
  /** HTTP status of the response, or `null` if there was none. */
  http_status: number | null
  /** `null` if the attempt succeeded. */
  error: AttemptError | null
  /** `X-Service-Signature` as sent: `sha256=…`. */
  signature: string
  /** `X-Service-Timestamp` as sent, in Unix seconds. */
  timestamp: number
  /** First 300 characters of the response body, or `null` if there was no response. */
  receiver_answer: string | null
}

/** A delivery with its raw body and all its attempts. */
export interface DeliveryDetail extends Omit<Delivery, 'attempts'> {
  /** The body as sent, byte for byte. `null` if the response was deleted before it could be sent. */
  raw_body: string | null
  attempts: DeliveryAttempt[]
}

/** One API request in the journal. The key is reduced to its prefix. */
export interface JournalEntry {
  /** Counted from 1 since the start or the last reset. */
  readonly number: number
  /** `X-Request-Id` of the response. */
  readonly request_id: string
  readonly received_at: Timestamp
  readonly method: string
  readonly path: string
  /** Query string without the `?`. */
  readonly query: string
  /** HTTP status of the response. */
  readonly status: number
  readonly key_id: number | null
  readonly key_prefix: string | null
  /** IP address of the client. */
  readonly address: string
  readonly user_agent: string | null
}

/** A mock receiver that the server runs on loopback. It ends with the server, a reset or a `DELETE`. */
export interface Receiver {
  /** Counted from 1 since the start, and never reused. */
  id: number
  /** `http://127.0.0.1:PORT/`. Any path below it is received too. */
  url: string
  /** The script as it was set last. Every request after the last step gets 200. */
  script: ReceiverStep[]
  /** Secrets that signatures are verified with, or `null` to verify none. */
  secret: string | string[] | null
}

/** What a mock receiver does with one request: a status, `slow(250)`, a named failure, or a whole HTTP response. */
export type ReceiverStep = string | number | ReceiverResponse

/** A scripted HTTP response of a mock receiver. */
export interface ReceiverResponse {
  /** From 200 to 999. @default 200 */
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Real milliseconds before the response starts. @default 0 */
  delay_ms?: number
  /** How the body ends; `whole` sends it completely. @default 'whole' */
  ending?: 'whole' | 'hang-body' | 'endless-body' | 'drip'
}

/** Settings of a mock receiver. Members that are left out stay as they are. */
export interface ReceiverSettings {
  /** Replaces what is left of the script. */
  script?: ReceiverStep[]
  /** Endpoint secret, or several during a rotation; `null` turns verification off. */
  secret?: string | string[] | null
}

/** A request that a mock receiver received. */
export interface ReceiverDelivery {
  /** By the server's clock. */
  received_at: Timestamp
  method: string
  /** Path and query as sent. */
  path: string
  /** Names are lowercase. */
  headers: Record<string, string | string[]>
  /** The body, byte for byte, in base64. */
  body_base64: string
  /** The body as JSON, or `null` if it is not a JSON object. */
  payload: Record<string, unknown> | null
  /** Whether the signature is valid and recent, or `null` without a secret. */
  verified: boolean | null
  /** Code of the verification error, or `null` if there is none. */
  verification_error: string | null
  /** Status of the response, or `null` if the script sends none. */
  status: number | null
  /** `X-Service-Delivery`; empty if missing. */
  delivery_id: string
  /** Number of the attempt of this delivery id, from 1. */
  attempt: number
  /** `X-Service-Event`; empty if missing. */
  event: string
}

/** What `POST /_app/wait` waits for: an API request, a delivery in a log, or a response or draft of a form. */
export type WaitSubject = 'request' | 'delivery' | 'response'

/** Body of `POST /_app/wait`. */
export interface WaitRequest {
  for: WaitSubject
  /**
   * Members to compare, at any depth; others are ignored. An array matches when each of its items is found, `[]` only
   * an empty one. The `query` of a request is compared as text, or as an object of its parameters. @default any
   */
  match?: Record<string, unknown>
  /** Real milliseconds, at most 60,000; 0 looks once. @default 5000 */
  timeout_ms?: number
}

/** Mode and current time of the server's clock. */
export interface ClockState {
  /** A manual clock moves only when it is advanced. */
  mode: 'real' | 'manual'
  now: Timestamp
}

/**
 * A failure to inject into requests to the API and to public forms. The first fault that matches a request applies; if
 * its `probability` skips the request, the next match is considered. A fault without an effect only counts requests.
 *
 * @example Answers the next three requests with 503:
 * ```json
 * { "status": 503, "times": 3 }
 * ```
 */
export interface Fault {
  /** HTTP method, in upper case. @default any method */
  method?: string
  /** Whole path under `/api/v1` or `/f`; `*` matches one segment: `/api/v1/forms/*`. @default any path */
  path?: string
  /**
   * Number of requests to apply it to. Each retry of a client counts as a request; to fail a call no matter how often
   * the client retries, leave this out and remove the fault later. @default unlimited
   */
  times?: number
  /** Share of matching requests to apply it to, from 0 to 1. @default 1 */
  probability?: number
  /** Seed for `probability`: the same seed picks the same requests. @default 1 */
  seed?: number

  /**
   * Respond with this status instead of handling the request. A status without a documented error code comes with the
   * HTML page of a proxy.
   */
  status?: number
  /** Body sent with `status`; `empty` sends none. @default 'json' for a documented status, else 'html' */
  body?: 'json' | 'html' | 'empty'
  /** `Retry-After` of the response: seconds or an HTTP date. */
  retry_after?: number | string
  /** Real milliseconds to wait before handling the request. */
  delay_ms?: number
  /**
   * Close the connection: `before` (or `true`) without handling the request, `unanswered` after handling it but without a
   * response, `middle` after half of the response, `after` after the whole response.
   */
  reset?: boolean | 'before' | 'unanswered' | 'middle' | 'after'
  /** End the body halfway, with correct framing: the JSON is broken. */
  truncate?: boolean
  /** Respond with this `Content-Type`. */
  content_type?: string
  /** Send the body in chunks, with this many real milliseconds between them. */
  drip_ms?: number
  /** Bytes per chunk. @default 16 */
  drip_bytes?: number
}

/** An active fault, as it is listed. */
export interface FaultInForce extends Fault {
  /** Counted from 1 since the start or the last reset. */
  readonly id: number
  /** Number of requests that it was applied to. */
  readonly met: number
}
