/**
 * Wire types of the control API, `/_app`: the routes of the reference server that do what people do in the web app.
 * Types only, inferred from the schemas of `/schemas/control`, which describe each member. `scripts/control-types.ts` writes them out for the
 * published package, so that they do not depend on zod. The types of the public API, `/api/v1`, are in the main entry point.
 */
import type { Form, QuestionType } from './index.ts'
import type * as schemas from './schemas/control.ts'
import type { Wire } from './schemas/wire.ts'

/** A value that is not changed, at any depth. */
type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

/** Plan of a workspace. It grants API reads, API writes and webhook endpoints (AUTH-11). */
export type PlanName = Workspace['plan']
export type Workspace = Wire<typeof schemas.workspaceSchema>
export type User = Wire<typeof schemas.userSchema>
export type ApiKey = Wire<typeof schemas.apiKeySchema>
/** A new API key. The key itself is returned only here (AUTH-06). */
export type CreatedApiKey = Wire<typeof schemas.createdApiKeySchema>

/** One option of a choice or ranking, or one row or column of a grid. */
export type Choice = NonNullable<Question['options']>[number]
/** Shows a question only if an earlier question has a given answer. */
export type ShowIf = NonNullable<Question['show_if']>
export type Question = Frozen<Wire<typeof schemas.questionSchema>>
/** An answer as a respondent submits it. A valid `value` has the wire shape of the question's type (RESP-07). */
export type SubmittedAnswer = Frozen<NonNullable<BackFilled['answers']>[number]>
type BackFilled = Wire<typeof schemas.responseCreateSchema>
export type BuilderForm = Form &
  Omit<Wire<typeof schemas.builderFormSchema>, 'questions'> & { questions: readonly Question[] }

export type RotatedSecret = Wire<typeof schemas.rotatedSecretSchema>
/** Whether an endpoint works, by the attempts that have ended, test events included. */
export type EndpointHealth = EndpointDetail['health']
export type EndpointDetail = Wire<typeof schemas.endpointDetailSchema>
export type FormEndpoint = Wire<typeof schemas.formEndpointSchema>
/** What the deliveries of an endpoint that are kept have come to. */
export type EndpointLog = FormEndpoint['log']

/** Status of a delivery. `delivered` and `failed` are final (DLV-07). */
export type DeliveryStatus = Delivery['status']
/** Why an attempt failed. `http_<status>` is any status other than 2xx, redirects included (DLV-05). */
export type AttemptError = NonNullable<Delivery['error']>
export type Delivery = Wire<typeof schemas.deliverySchema>
export type ListedDelivery = Wire<typeof schemas.listedDeliverySchema>
/** Which deliveries `GET /_app/deliveries` lists. `retrying` ones are pending, and an attempt of them has failed. */
export type DeliveryState = 'retrying' | DeliveryStatus
export type DeliveryPage = Wire<typeof schemas.deliveryPageSchema>
export type DeliveryAttempt = Wire<typeof schemas.deliveryAttemptSchema>
export type DeliveryDetail = Wire<typeof schemas.deliveryDetailSchema>

export type JournalEntry = Frozen<Wire<typeof schemas.journalEntrySchema, undefined>>
export type JournalDetail = Frozen<Wire<typeof schemas.journalDetailSchema, undefined>>
/** The body of a request or a response in the journal. */
export type JournalBody = NonNullable<JournalDetail['request_body']>

export type Receiver = Wire<typeof schemas.receiverSchema>
/** What a mock receiver does with one request: a status, `slow(250)`, a named failure, or a whole HTTP response. */
export type ReceiverStep = Receiver['script'][number]
/** A scripted HTTP response of a mock receiver. */
export type ReceiverResponse = Exclude<ReceiverStep, string | number>
export type ReceiverSettings = Wire<typeof schemas.receiverSettingsSchema>
export type ReceiverDelivery = Wire<typeof schemas.receiverDeliverySchema>
export type ReceiverState = Readonly<Wire<typeof schemas.receiverStateSchema>>
export type BuiltInReceiver = Wire<typeof schemas.builtInReceiverSchema>

/** What `POST /_app/wait` waits for: an API request, a delivery in a log, or a response or draft of a form. */
export type WaitSubject = WaitRequest['for']
export type WaitRequest = Wire<typeof schemas.waitRequestSchema>
export type ClockState = Wire<typeof schemas.clockStateSchema>

/**
 * A failure to inject into requests to the API and to public forms. The first fault that matches a request applies; if
 * its `probability` skips the request, the next match is considered. A fault without an effect only counts requests.
 *
 * @example Answers the next three requests with 503:
 * ```json
 * { "status": 503, "times": 3 }
 * ```
 */
export type Fault = Wire<typeof schemas.faultSchema, undefined>
/** A fault with its id. */
export type AppliedFault = Fault & Pick<FaultInForce, 'id'>
export type FaultInForce = Readonly<Wire<typeof schemas.faultInForceSchema, undefined>>

export type Catalog = Omit<Wire<typeof schemas.catalogSchema>, 'forms' | 'faults' | 'receivers'> & {
  /** Most recently updated first, those in the trash included. */
  forms?: BuilderForm[]
  faults?: FaultInForce[]
  /** What the receivers of `POST /_app/receivers` do, without their secrets. */
  receivers?: ReceiverState[]
}
/** What `GET /_app/catalog` can include. */
export type CatalogPart = keyof Catalog
/** Where the data of a server was pulled from. */
export type DataSource = NonNullable<Catalog['source']>

/** Number of answers that chose an option. */
export type ChoiceTally = Frozen<NonNullable<QuestionSummary['choices']>[number]>
/** Number of answers from `from` to `to`, both included. */
export type NumberTally = NonNullable<QuestionSummary['numbers']>['tally'][number]
export type QuestionSummary = Wire<typeof schemas.questionSummarySchema> & { type: QuestionType }
export type FormSummary = Omit<Wire<typeof schemas.formSummarySchema>, 'questions'> & {
  questions: QuestionSummary[]
}
export type FormPreview = Wire<typeof schemas.formPreviewSchema>
