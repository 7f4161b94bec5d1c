/**
 * Wire types of the control API, `/_app`: the routes of the reference server that do what people do in the web app.
 * Types only. The types of the public API, `/api/v1`, are in the main entry point.
 */
import type { KnownQuestionType, QuestionType } from './answer.ts'
import type { Form } from './form.ts'
import type { KeyScope, KnownWorkspaceRole } from './me.ts'
import type { Timestamp } from './open-enum.ts'
import type { KnownEventType, WebhookEndpoint } from './webhook.ts'

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

/** A form as the builder shows it: the API's form, plus what the API does not return. */
export interface BuilderForm extends Form {
  workspace_id: number
  /**
   * Language of the form's texts as a BCP 47 tag, such as `pt-BR`, or `null` if it is not known. It sets the page's
   * `lang`, and the direction of its layout. Respondents see a change after the next publication.
   */
  language: string | null
  /** The questions in the builder, which may be newer than the published ones. */
  questions: readonly Question[]
  /** Title that respondents see, or `null` before the form is first published (FORM-09). */
  published_title: string | null
  /** Whether the title, questions or language differ from those that respondents see. `false` before the first publication. */
  unpublished_changes: boolean
  trashed: boolean
  /** Changes with each change of the form. An update that names another one is refused with 409. */
  revision: number
}

/** The new secret of a webhook endpoint. It is returned only here (HOOK-08). */
export interface RotatedSecret {
  /** Id of the endpoint. */
  id: number
  secret: string
}

/** Whether an endpoint works, by the attempts that have ended, test events included. */
export interface EndpointHealth {
  /**
   * `paused` while it is paused; otherwise `unused` before the first attempt has ended, `failing` if the latest attempt failed,
   * `healthy` if it succeeded.
   */
  state: 'healthy' | 'failing' | 'paused' | 'unused'
  /**
   * When it was paused, or when the first attempt that has failed since the last success started. `null` in the other states,
   * and if it is not known when it was paused.
   */
  since: Timestamp | null
  /** Number of responses submitted since it was paused, which are never sent (HOOK-07). 0 while it is active. */
  not_sent: number
}

/** A webhook endpoint, with what a delivery log of 50 does not show. */
export interface EndpointDetail extends WebhookEndpoint {
  form_id: string
  health: EndpointHealth
  /** Number of pending deliveries, also of those outside the latest 50. Pausing the endpoint fails them (HOOK-07). */
  pending_deliveries: number
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
  /** Why the last attempt failed, or `null` if it succeeded or none has ended. */
  error: AttemptError | null
  /** Why the attempts before the last one failed, oldest first. */
  earlier_errors: AttemptError[]
  /** Real milliseconds that the last attempt took, or `null` if none has ended. */
  duration_ms: number | null
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

/** A delivery in a page of `GET /_app/deliveries`. */
export interface ListedDelivery extends Omit<Delivery, 'payload'> {
  /** Whether it repeats an earlier delivery (DLV-08). */
  is_replay: boolean
  /** Whether a later delivery repeats it, or a later test event follows a test event. */
  is_replayed: boolean
}

/** Which deliveries `GET /_app/deliveries` lists. `retrying` ones are pending, and an attempt of them has failed. */
export type DeliveryState = 'retrying' | DeliveryStatus

/** A page of deliveries of all endpoints, newest first. */
export interface DeliveryPage {
  data: ListedDelivery[]
  meta: {
    /** `cursor` of the next page, or `null` if there is none. */
    next_cursor: string | null
    /** Numbers of deliveries on all pages, in any state. */
    counts: { all: number; retrying: number; failed: number }
  }
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
  /** Code and message of the error that the response reported, or `null` if it was none. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** Real milliseconds until the response was ready, with the delay of a fault. */
  readonly duration_ms: number
  /** The injected fault that was applied to the request, or `null` if none was. It may be removed by now. */
  readonly fault: AppliedFault | null
}

/**
 * A request of the journal with its headers and bodies, which are kept for the latest 200 requests. API keys are reduced to their
 * prefix; secrets, and the values of headers that may hold one, are left out. The response is the one that the API made: a fault may have
 * cut or slowed it.
 */
export interface JournalDetail extends JournalEntry {
  /** By their names in lower case. `null` if headers and bodies are not kept. */
  readonly request_headers: Readonly<Record<string, string>> | null
  /** `null` if there was none, or headers and bodies are not kept. */
  readonly request_body: JournalBody | null
  readonly response_headers: Readonly<Record<string, string>> | null
  readonly response_body: JournalBody | null
}

/** The body of a request or a response in the journal. */
export interface JournalBody {
  /** At most the first 16,384 bytes. */
  readonly text: string
  /** Size of the body, as far as it was received. */
  readonly bytes: number
  /** Whether `text` is only the start of the body, which may be empty. */
  readonly truncated: boolean
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
  method?: string | undefined
  /** Whole path under `/api/v1` or `/f`; `*` matches one segment: `/api/v1/forms/*`. @default any path */
  path?: string | undefined
  /**
   * Number of requests to apply it to. Each retry of a client counts as a request; to fail a call no matter how often
   * the client retries, leave this out and remove the fault later. @default unlimited
   */
  times?: number | undefined
  /** Share of matching requests to apply it to, from 0 to 1. @default 1 */
  probability?: number | undefined
  /** Seed for `probability`: the same seed picks the same requests. @default 1 */
  seed?: number | undefined

  /**
   * Respond with this status instead of handling the request. A status without a documented error code comes with the
   * HTML page of a proxy.
   */
  status?: number | undefined
  /** Body sent with `status`; `empty` sends none. @default 'json' for a documented status, else 'html' */
  body?: 'json' | 'html' | 'empty' | undefined
  /** `Retry-After` of the response: seconds or an HTTP date. */
  retry_after?: number | string | undefined
  /** Real milliseconds to wait before handling the request. */
  delay_ms?: number | undefined
  /**
   * Close the connection: `before` (or `true`) without handling the request, `unanswered` after handling it but without a
   * response, `middle` after half of the response, `after` after the whole response.
   */
  reset?: boolean | 'before' | 'unanswered' | 'middle' | 'after' | undefined
  /** End the body halfway, with correct framing: the JSON is broken. */
  truncate?: boolean | undefined
  /** Respond with this `Content-Type`. */
  content_type?: string | undefined
  /** Send the body in chunks, with this many real milliseconds between them. */
  drip_ms?: number | undefined
  /** Bytes per chunk. @default 16 */
  drip_bytes?: number | undefined
}

/** A fault with its id. */
export interface AppliedFault extends Fault {
  /** Counted from 1 since the start or the last reset. */
  readonly id: number
}

/** An active fault, as it is listed. */
export interface FaultInForce extends AppliedFault {
  /** Number of requests that it was applied to. */
  readonly met: number
}

/** A webhook endpoint with its form. */
export interface FormEndpoint extends WebhookEndpoint {
  form_id: string
  /** Whether it points to the built-in receiver of the server, whose port changes with each start. */
  built_in: boolean
  health: EndpointHealth
  log: EndpointLog
}

/** What the deliveries of an endpoint that are kept have come to. */
export interface EndpointLog {
  delivered: number
  /** Those that are retried included. */
  pending: number
  /** Pending ones of which an attempt has failed. */
  retrying: number
  failed: number
  /** Failed ones that no later delivery repeats. */
  to_replay: number
  /** How its latest attempt ended, or `null` before one has. */
  last_attempt: Pick<DeliveryAttempt, 'http_status' | 'error'> | null
}

/** Several lists of the control API in one response. Has the parts that were asked for. */
export interface Catalog {
  clock?: ClockState
  workspaces?: Workspace[]
  users?: User[]
  keys?: ApiKey[]
  /** Most recently updated first, those in the trash included. */
  forms?: BuilderForm[]
  /** Newest first. */
  endpoints?: FormEndpoint[]
  /** The delivery logs of all endpoints together, newest first. Shorter logs when there are many endpoints. */
  deliveries?: Delivery[]
  faults?: FaultInForce[]
  /** The built-in receiver, or `null` if it is not running. */
  receiver?: BuiltInReceiver | null
  /** What the receivers of `POST /_app/receivers` do, without their secrets. */
  receivers?: ReceiverState[]
  /** The service that the data was pulled from, or `null` if it was not pulled. */
  source?: DataSource | null
}

/** What `GET /_app/catalog` can include. */
export type CatalogPart = keyof Catalog

/** Where the data of a server was pulled from. */
export interface DataSource {
  /** Root URL of the service. */
  base_url: string
  /** When it was pulled. */
  pulled_at: string
  /** How personal data was replaced; `false` if it was not. */
  scrubbed: 'normal' | 'strict' | false
}

/** What a mock receiver of `POST /_app/receivers` has done, and will do next. */
export interface ReceiverState {
  readonly id: number
  /** `http://127.0.0.1:PORT/`. Any path below it is received too. */
  url: string
  /** What the next request gets, or `null` for 200: the script is empty or used up. */
  next_step: ReceiverStep | null
  /** Number of steps of the script that no request has used yet. */
  steps_left: number
  /** Number of requests that are kept. */
  received: number
  /** How many of them had no valid signature of the receiver's secret. 0 for a receiver without a secret. */
  unverified: number
}

/**
 * A receiver that the server runs for the endpoints of the demo. It responds to everything with 200, except as its script
 * says. A reset removes the script.
 */
export interface BuiltInReceiver {
  /** `http://127.0.0.1:PORT/`. Any path below it is received too. */
  url: string
  /** The script as it was set last. Every request after the last step gets 200. */
  script: ReceiverStep[]
  /** Number of steps at the end of the script that no request has used yet. */
  steps_left: number
  /** Number of requests received since the start or the last reset. */
  received: number
}

/** Number of answers that chose an option. */
export interface ChoiceTally extends Choice {
  readonly count: number
}

/** Number of answers from `from` to `to`, both included. */
export interface NumberTally {
  from: number
  to: number
  count: number
}

/** The answers to one question. Members that do not apply to its type are left out. */
export interface QuestionSummary {
  question_id: string
  title: string
  type: QuestionType
  /** Number of counted responses with an answer. */
  answered: number
  /** Number of counted drafts whose last answer is to this question. */
  drafts_ended: number
  /** Whether the form no longer has the question. */
  removed: boolean
  /** Options of a choice in their order, with the number of answers that chose each. */
  choices?: ChoiceTally[]
  /** Number of answers with a text of their own instead of an option. */
  other?: number
  /** Options of a ranking, by average rank, the best first. */
  ranks?: { id: string; label: string; average: number }[]
  /** Rows of a grid, with the number of answers by column. */
  rows?: { id: string; label: string; choices: ChoiceTally[] }[]
  /** Of numeric answers. */
  numbers?: { average: number; median: number; min: number; max: number; tally: NumberTally[] }
  /** Of an NPS question: the share of promoters less that of detractors, from -100 to 100. */
  nps?: { score: number; promoters: number; passives: number; detractors: number }
  /** The latest answers of other types, as text, at most 5. */
  latest?: { response_id: number; text: string }[]
}

/** The answers of a form, question by question. Counts the newest responses and drafts, up to a limit. */
export interface FormSummary {
  form_id: string
  /** Number of submitted responses, and of those that are counted here: the newest 2,000. */
  responses: number
  counted_responses: number
  /** Number of drafts, and of those that are counted here: the newest 2,000. */
  drafts: number
  counted_drafts: number
  /** When the oldest counted response was submitted, or `null` without responses. */
  counted_since: Timestamp | null
  /** Median duration of the counted responses, or `null` without responses. */
  median_duration_sec: number | null
  /** Average score of the counted responses that have one, and the best possible; `null` without points. */
  average_score: number | null
  max_score: number | null
  /** In the order of the form, then those that were removed from it. */
  questions: QuestionSummary[]
}

/** A page that shows questions that are not published. */
export interface FormPreview {
  /** Path of the page, relative to `/_app/`. Opens without a token, until 50 newer previews exist. */
  path: string
}
