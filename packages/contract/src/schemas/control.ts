/**
 * The wire types of the control API, `/_app`, as zod schemas. What the server returns is loose, so that members can be
 * added; what it accepts is strict, since it refuses unknown members. The types in `../control.ts` are inferred from these, and
 * `control.openapi.json` is generated from them.
 */
import * as z from 'zod'
import { QUESTION_TYPES } from '../answer.ts'
import { LANGUAGE_MAX_LENGTH, LIMITS } from '../limits.ts'
import { KEY_SCOPES, WORKSPACE_ROLES } from '../me.ts'
import { RESPONSE_STATUSES } from '../response.ts'
import { formSchema, formTitleSchema, timestampSchema, webhookEndpointSchema } from '../schemas.ts'
import { EVENT_TYPES } from '../webhook.ts'

const id = z.int().min(1)
const count = z.int().nonnegative()
const text = z.string()
const textOrNull = text.nullable()
const flag = z.boolean()
const json = z.record(text, z.unknown())
/** As an input: with any offset, or a date alone. The server checks it. */
const instant = text.describe('ISO 8601 date or date-time; UTC unless it has an offset.')

/** What the server returns: members may be added later. */
const shown = <Shape extends z.core.$ZodShape>(description: string, shape: Shape) =>
  z.looseObject(shape).describe(description)

/** What the server accepts: it refuses unknown members. */
const accepted = <Shape extends z.core.$ZodShape>(description: string, shape: Shape) =>
  z.strictObject(shape).describe(description)

/** The length, which the schema checks in code, is part of the OpenAPI document too. */
const titleSchema = formTitleSchema.meta({ minLength: 1, maxLength: LIMITS.titleMaxCodePoints })

const planSchema = z
  .enum(['free', 'starter', 'business'])
  .describe('`free` has no API access, `starter` may read, `business` may read and write.')
const roleSchema = z.enum(WORKSPACE_ROLES)
const scopeSchema = z.enum(KEY_SCOPES)

export const workspaceSchema = shown('A workspace and its members.', {
  id,
  name: text,
  plan: planSchema,
  created_at: timestampSchema,
  members: z.array(z.looseObject({ user_id: id, role: roleSchema })),
})

export const workspaceCreateSchema = z
  .strictObject({ name: text.min(1).max(200), plan: planSchema.optional() })
  .describe('A new workspace. The plan is `business` by default.')
export const workspaceUpdateSchema = workspaceCreateSchema
  .partial()
  .describe('The changes. A new plan applies to the next request of each key.')
export const memberSetSchema = z
  .strictObject({ role: roleSchema })
  .describe("The member's role. It applies to the next request.")
export const memberRemovedSchema = z
  .looseObject({ workspace_id: id, user_id: id, deleted: z.literal(true), revoked_keys: count })
  .describe("The member who was removed, and how many of the user's keys were revoked.")

export const userSchema = shown('A user and the workspaces that the user is a member of.', {
  id,
  name: text,
  email: text,
  workspaces: z.array(z.looseObject({ id, role: roleSchema })),
})
export const userCreateSchema = z
  .strictObject({ name: text.min(1).max(200), email: text.max(254) })
  .describe('A new user.')
export const passwordChangedSchema = z
  .looseObject({ id, revoked_keys: count })
  .describe('The user, and how many keys were revoked.')

export const apiKeySchema = shown('An API key without its secret part.', {
  id,
  name: text,
  prefix: text.describe('Short leading part of the key, to tell keys apart.'),
  scope: scopeSchema,
  workspace_id: id,
  user_id: id,
  created_at: timestampSchema,
  revoked_at: timestampSchema.nullable().describe('null while active.'),
})
export const createdApiKeySchema = apiKeySchema
  .extend({ key: text.describe('The key itself. Returned only here: save it.') })
  .describe('A new API key.')
export const keyCreateSchema = accepted(
  "A new API key. The workspace and the user are those of the server's own keys by default.",
  {
    name: text.min(1).max(200),
    scope: scopeSchema,
    workspace_id: id.optional(),
    user_id: id.optional(),
  },
)

const choiceSchema = z.strictObject({ id: text, label: text })
const questionFields = {
  type: z.enum(QUESTION_TYPES),
  title: text,
  options: z.array(choiceSchema).optional().describe('Options of a choice or ranking.'),
  allow_other: flag.optional().describe('Whether a choice accepts free text.'),
  points: z
    .record(text, z.number())
    .optional()
    .describe('Points by option id. Options without an entry give no points.'),
  rows: z.array(choiceSchema).optional().describe('Rows of a grid.'),
  columns: z.array(choiceSchema).optional().describe('Columns of a grid.'),
  min: z
    .union([z.number(), text])
    .optional()
    .describe('Lower bound: of a length, number, date, time or count.'),
  max: z.union([z.number(), text]).optional().describe('Upper bound of the same.'),
  show_if: z
    .strictObject({
      question_id: text.describe('An earlier question of the same form.'),
      equals: z.unknown().describe('For choices, an option id. For other types, the whole value.'),
    })
    .optional()
    .describe('Shows the question only for this answer to an earlier one.'),
}
export const questionSchema = z
  .looseObject({ id: text.describe('Unique within the form.'), required: flag, ...questionFields })
  .describe('A question with its defaults filled in.')
const questionCreateSchema = accepted('A new question.', {
  id: text.optional().describe('Unique in its form. By default q1, q2 … by position.'),
  required: flag.optional(),
  ...questionFields,
})

const language = text
  .meta({ maxLength: LANGUAGE_MAX_LENGTH })
  .nullable()
  .describe(
    "Language of the form's texts as a BCP 47 tag, such as `pt-BR`, or null. It sets the page's language and direction.",
  )

export const builderFormSchema = formSchema
  .extend({
    workspace_id: id,
    language,
    questions: z.array(questionSchema).describe('The questions in the builder.'),
    published_title: textOrNull.describe('Title that respondents see, or null before publication.'),
    unpublished_changes: flag.describe(
      'Whether the title, questions or language differ from those that respondents see.',
    ),
    trashed: flag,
    revision: id.describe('Changes with each change of the form.'),
  })
  .describe("A form as the builder shows it: the API's form, and what the API does not return.")
const formFields = {
  language: language.optional(),
  questions: z.array(questionCreateSchema).optional(),
  response_limit: id.nullable().optional(),
  opens_at: instant.nullable().optional(),
  closes_at: instant.nullable().optional(),
}
export const formCreateSchema = z
  .strictObject({ title: titleSchema, workspace_id: id.optional(), ...formFields })
  .describe('A new form. It is a draft until it is published.')
export const builderFormUpdateSchema = accepted(
  'The changes. Respondents see a new title, new questions or a new language after the next publication.',
  {
    title: titleSchema.optional(),
    ...formFields,
    revision: id
      .optional()
      .describe('The revision that the changes were made to. 409 if the form has another.'),
  },
)

export const responseCreateSchema = accepted(
  'A response to add. It is checked like one of the public link, and ignores closing and limits.',
  {
    answers: z.array(z.strictObject({ question_id: text, value: z.unknown() })).optional(),
    email: textOrNull.optional(),
    meta: json.optional().describe('Merged over the defaults, which are null for what is not known.'),
    status: z.enum(RESPONSE_STATUSES).optional().describe('`submitted` by default.'),
    submitted_at: instant.nullable().optional().describe('Now by default.'),
    started_at: instant.optional().describe('`submitted_at` by default.'),
    deliver: flag.optional().describe('Whether to send webhooks. False by default.'),
  },
)

export const rotatedSecretSchema = z
  .looseObject({ id: id.describe('Id of the endpoint.'), secret: text })
  .describe('The new secret of an endpoint. Returned only here.')

/** Why an attempt failed. */
const attemptErrorSchema = z
  .templateLiteral(['http_', z.number()])
  .or(z.enum(['timeout', 'dns', 'refused', 'reset', 'tls', 'address_refused', 'protocol']))

const endpointHealthSchema = shown(
  'Whether an endpoint works, by the attempts that have ended, test events included.',
  {
    state: z
      .enum(['healthy', 'failing', 'paused', 'unused'])
      .describe(
        '`paused` while it is paused; otherwise `unused` before the first attempt has ended, `failing` if the latest attempt failed, `healthy` if it succeeded.',
      ),
    since: timestampSchema
      .nullable()
      .describe(
        'When it was paused, or when the first attempt that has failed since the last success started. `null` in the other states, and if it is not known when it was paused.',
      ),
    not_sent: count.describe('Number of responses submitted since it was paused, which are never sent.'),
  },
)

export const endpointDetailSchema = webhookEndpointSchema
  .extend({
    form_id: text,
    health: endpointHealthSchema,
    pending_deliveries: count.describe('Also of those outside the latest 50. Pausing fails them.'),
  })
  .describe('A webhook endpoint, with the number of its pending deliveries.')

const deliveryFields = {
  id: text.describe('`X-Service-Delivery` of all its attempts.'),
  event: z.enum(EVENT_TYPES),
  status: z.enum(['pending', 'delivered', 'failed']).describe('`delivered` and `failed` are final.'),
  response_id: count.describe('Id of the response, or 0 for a test event.'),
  payload: json.describe('The event that is sent. {} if the response was deleted before it could be sent.'),
  http_status: z.int().nullable().describe('Status of the last attempt, or null without a response.'),
  error: attemptErrorSchema
    .nullable()
    .describe('Why the last attempt failed, or null if it succeeded or none has ended.'),
  earlier_errors: z
    .array(attemptErrorSchema)
    .describe('Why the attempts before the last one failed, oldest first.'),
  duration_ms: z.number().nullable().describe('Real milliseconds of the last attempt, or null before one.'),
  receiver_answer: textOrNull.describe('First 300 characters of the last response body, or null.'),
  next_attempt_at: timestampSchema.nullable().describe('When the next attempt is due, or null.'),
  note: textOrNull.describe('Why the delivery failed before its last attempt.'),
  created_at: timestampSchema,
  form_id: text,
  webhook_id: id.describe('Id of the endpoint.'),
}
export const deliverySchema = z
  .looseObject({ ...deliveryFields, attempts: count.describe('Number of attempts that have ended.') })
  .describe('A delivery as the delivery log and the event stream show it.')
export const listedDeliverySchema = deliverySchema
  .omit({ payload: true })
  .extend({
    is_replay: flag.describe('Whether it repeats an earlier delivery.'),
    is_replayed: flag.describe(
      'Whether a later delivery repeats it, or a later test event follows a test event.',
    ),
  })
  .describe('A delivery without its payload.')
export const deliveryPageSchema = shown('A page of deliveries of all endpoints, newest first.', {
  data: z.array(listedDeliverySchema),
  meta: z.looseObject({
    next_cursor: textOrNull.describe('`cursor` of the next page, or null if there is none.'),
    counts: z
      .looseObject({ all: count, retrying: count, failed: count })
      .describe('Numbers of deliveries on all pages, in any state.'),
  }),
})
export const deliveryAttemptSchema = shown('One attempt of a delivery.', {
  number: id.describe('From 1.'),
  started_at: timestampSchema,
  duration_ms: z.number().describe('Real milliseconds, even with a manual clock.'),
  http_status: z.int().nullable(),
  error: attemptErrorSchema
    .nullable()
    .describe('null if the attempt succeeded. `http_<status>` is any status other than 2xx.'),
  signature: text.describe('`X-Service-Signature` as sent.'),
  timestamp: z.int().describe('`X-Service-Timestamp` as sent, in Unix seconds.'),
  receiver_answer: textOrNull.describe('First 300 characters of the response body, or null.'),
})
export const deliveryDetailSchema = shown('A delivery with its raw body and all its attempts.', {
  ...deliveryFields,
  raw_body: textOrNull.describe('The body as sent, byte for byte.'),
  attempts: z.array(deliveryAttemptSchema),
})

export const clockStateSchema = z
  .looseObject({ mode: z.enum(['real', 'manual']), now: timestampSchema })
  .describe("Mode and current time of the server's clock. A manual clock moves only when it is advanced.")
export const clockAdvanceSchema = z
  .strictObject({ by: z.union([text, z.number().nonnegative()]) })
  .describe('A span such as `12h` or `1h30m`, or milliseconds. 0 waits until the server is idle.')

export const faultSchema = accepted('A failure to inject into requests to the API and to public forms.', {
  method: text.optional().describe('HTTP method in upper case. Any method by default.'),
  path: text
    .optional()
    .describe('Whole path under /api/v1 or /f; `*` matches one segment. Any path by default.'),
  times: id.optional().describe('Number of requests. Unlimited by default.'),
  probability: z.number().min(0).max(1).optional().describe('Share of matching requests. 1 by default.'),
  seed: z.int().optional().describe('Seed for `probability`. 1 by default.'),
  status: z.int().optional().describe('Respond with this status instead of handling the request.'),
  body: z.enum(['json', 'html', 'empty']).optional().describe('Body sent with `status`.'),
  retry_after: z.union([z.number(), text]).optional().describe('Seconds or an HTTP date.'),
  delay_ms: z.number().optional().describe('Real milliseconds to wait before handling the request.'),
  reset: z
    .union([flag, z.enum(['before', 'unanswered', 'middle', 'after'])])
    .optional()
    .describe(
      'Close the connection: before or after handling the request, or in the middle of the response.',
    ),
  truncate: flag.optional().describe('End the body halfway, with correct framing.'),
  content_type: text.optional().describe('Respond with this `Content-Type`.'),
  drip_ms: z.number().optional().describe('Real milliseconds between chunks of the body.'),
  drip_bytes: id.optional().describe('Bytes per chunk. 16 by default.'),
})
const faultIdSchema = id.describe('Counted from 1 since the start or the last reset.')
export const faultInForceSchema = shown('An active fault.', {
  ...faultSchema.shape,
  id: faultIdSchema,
  met: count.describe('Number of requests that it was applied to.'),
})

const journalFields = {
  number: id.describe('Counted from 1 since the start or the last reset.'),
  request_id: text.describe('`X-Request-Id` of the response.'),
  received_at: timestampSchema,
  method: text,
  path: text,
  query: text.describe('Query string without the `?`.'),
  status: z.int().describe('HTTP status of the response.'),
  key_id: id.nullable(),
  key_prefix: textOrNull,
  address: text.describe('IP address of the client.'),
  user_agent: textOrNull,
  error: z
    .object({ code: text, message: text })
    .nullable()
    .describe('Code and message of the error that the response reported, or null if it was none.'),
  duration_ms: z
    .number()
    .min(0)
    .describe('Real milliseconds until the response was ready, with the delay of a fault.'),
  fault: z
    .looseObject({ ...faultSchema.shape, id: faultIdSchema })
    .nullable()
    .describe('The injected fault that was applied, or null if none was. It may be removed by now.'),
}
export const journalEntrySchema = z
  .looseObject(journalFields)
  .describe('One API request in the journal. The key is reduced to its prefix.')
const journalBodySchema = z
  .looseObject({
    text: text.describe('At most the first 16,384 bytes.'),
    bytes: count.describe('Size of the body, as far as it was received.'),
    truncated: flag.describe('Whether `text` is only the start of the body, which may be empty.'),
  })
  .nullable()
const journalHeadersSchema = z
  .record(text, text)
  .nullable()
  .describe('By their names in lower case. null if headers and bodies are not kept.')
export const journalDetailSchema = shown(
  'A request of the journal with its headers and bodies, which are kept for the latest 200 requests. API keys are reduced to their prefix; secrets, and the values of headers that may hold one, are left out. The response is the one that the API made: a fault may have cut or slowed it.',
  {
    ...journalFields,
    request_headers: journalHeadersSchema,
    request_body: journalBodySchema.describe('null if there was none, or headers and bodies are not kept.'),
    response_headers: journalHeadersSchema,
    response_body: journalBodySchema,
  },
)
const receiverStepSchema = z
  .union([
    text,
    z.int(),
    z.strictObject({
      status: z.int().min(200).max(999).optional().describe('From 200 to 999. 200 by default.'),
      headers: z.record(text, text).optional(),
      body: text.optional(),
      delay_ms: z.number().min(0).max(3_600_000).optional().describe('Real milliseconds before it starts.'),
      ending: z.enum(['whole', 'hang-body', 'endless-body', 'drip']).optional(),
    }),
  ])
  .describe(
    'A status, `slow(250)`, one of `timeout`, `hang-body`, `endless-body`, `drip`, `reset`, `redirect`, `garbage`, or a whole HTTP response.',
  )
const receiverSecretSchema = z
  .union([text, z.array(text)])
  .nullable()
  .describe('Endpoint secret, or several during a rotation; null verifies nothing.')
export const receiverSchema = shown(
  'A mock receiver that the server runs on loopback until a reset, a DELETE or its own end.',
  {
    id: id.describe('Counted from 1 since the start, and never reused.'),
    url: text.describe('`http://127.0.0.1:PORT/`. Any path below it is received too.'),
    script: z.array(receiverStepSchema).describe('The script as it was set last.'),
    secret: receiverSecretSchema,
  },
)
export const receiverSettingsSchema = accepted(
  'Settings of a mock receiver. Members that are left out stay as they are.',
  {
    script: z
      .array(receiverStepSchema)
      .max(1000)
      .optional()
      .describe('One step a request; every request after the last step gets 200.'),
    secret: receiverSecretSchema.optional(),
  },
)
export const receiverScriptSchema = receiverSettingsSchema
  .pick({ script: true })
  .required()
  .describe('The new script. What was recorded is kept.')
export const receiverDeliverySchema = shown('A request that a mock receiver received.', {
  received_at: timestampSchema.describe("By the server's clock."),
  method: text,
  path: text.describe('Path and query as sent.'),
  headers: z.record(text, z.union([text, z.array(text)])).describe('Names are lowercase.'),
  body_base64: text.describe('The body, byte for byte, in base64.'),
  payload: json.nullable().describe('The body as JSON, or null if it is not a JSON object.'),
  verified: flag.nullable().describe('Whether the signature is valid and recent, or null without a secret.'),
  verification_error: textOrNull.describe('Code of the verification error, or null if there is none.'),
  status: z.int().nullable().describe('Status of the response, or null if the script sends none.'),
  delivery_id: text.describe('`X-Service-Delivery`; empty if missing.'),
  attempt: id.describe('Number of the attempt of this delivery id, from 1.'),
  event: text.describe('`X-Service-Event`; empty if missing.'),
})

export const waitRequestSchema = accepted('What to wait for.', {
  for: z.enum(['request', 'delivery', 'response']),
  match: json
    .optional()
    .describe(
      "Members to compare, at any depth; others are ignored. An array matches when each of its items is found, [] only an empty one. A request's `query` is compared as text, or as an object of its parameters. Any by default.",
    ),
  timeout_ms: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('Real milliseconds; 0 looks once. 5000 by default.'),
})

export const snapshotSchema = shown(
  'The whole state. Contains webhook secrets and key hashes: store it like a secret.',
  {
    formwire: z.literal('snapshot'),
    warning: text.optional(),
    taken_at: timestampSchema.optional().describe('A manual clock is set to it.'),
    state: z.looseObject({ version: z.literal(1) }),
  },
)

export const formEndpointSchema = webhookEndpointSchema
  .extend({
    form_id: text,
    built_in: flag.describe(
      'Whether it points to the built-in receiver, whose port changes with each start.',
    ),
    health: endpointHealthSchema,
    log: z
      .looseObject({
        delivered: count,
        pending: count.describe('Those that are retried included.'),
        retrying: count.describe('Pending ones of which an attempt has failed.'),
        failed: count,
        to_replay: count.describe('Failed ones that no later delivery repeats.'),
        last_attempt: z
          .looseObject({ http_status: z.int().nullable(), error: attemptErrorSchema.nullable() })
          .nullable()
          .describe('How its latest attempt ended, or null before one has.'),
      })
      .describe('What its deliveries that are kept have come to.'),
  })
  .describe('A webhook endpoint with its form.')

export const builtInReceiverSchema = shown(
  'The receiver that the server runs for the endpoints of the demo. 200 except as its script says.',
  {
    url: text.describe('`http://127.0.0.1:PORT/`. Any path below it is received too.'),
    script: z.array(receiverStepSchema).describe('The script as it was set last.'),
    steps_left: count.describe('Number of steps at the end of the script that no request has used yet.'),
    received: count.describe('Number of requests received since the start or the last reset.'),
  },
)

export const receiverStateSchema = shown('What a mock receiver has done, and will do next.', {
  id,
  url: text.describe('`http://127.0.0.1:PORT/`. Any path below it is received too.'),
  next_step: receiverStepSchema.nullable().describe('What the next request gets, or null for 200.'),
  steps_left: count.describe('Number of steps of the script that no request has used yet.'),
  received: count.describe('Number of requests that are kept.'),
  unverified: count.describe('How many of them had no valid signature. 0 for a receiver without a secret.'),
})

export const catalogSchema = shown('Several lists in one response. Has the parts that were asked for.', {
  clock: clockStateSchema.optional(),
  workspaces: z.array(workspaceSchema).optional(),
  users: z.array(userSchema).optional(),
  keys: z.array(apiKeySchema).optional(),
  forms: z.array(builderFormSchema).optional().describe('Most recently updated first.'),
  endpoints: z.array(formEndpointSchema).optional().describe('Newest first.'),
  deliveries: z
    .array(deliverySchema)
    .optional()
    .describe('The delivery logs of all endpoints together, newest first; shorter ones above 200 endpoints.'),
  faults: z.array(faultInForceSchema).optional(),
  receiver: builtInReceiverSchema.nullable().optional().describe('null if it is not running.'),
  receivers: z
    .array(receiverStateSchema)
    .optional()
    .describe('What the receivers of `POST /_app/receivers` do, without their secrets.'),
  source: z
    .looseObject({
      base_url: text.describe('Root URL of the service.'),
      pulled_at: text.describe('When it was pulled.'),
      scrubbed: z.union([z.enum(['normal', 'strict']), z.literal(false)]),
    })
    .nullable()
    .optional()
    .describe('The service that the data was pulled from; null if it was not pulled.'),
})

const choiceTallySchema = z.looseObject({ id: text, label: text, count })
export const questionSummarySchema = shown(
  'The answers to one question. Members that do not apply to its type are left out.',
  {
    question_id: text,
    title: text,
    type: text.min(1),
    answered: count.describe('Number of counted responses with an answer.'),
    drafts_ended: count.describe('Number of counted drafts whose last answer is to this question.'),
    removed: flag.describe('Whether the form no longer has the question.'),
    choices: z.array(choiceTallySchema).optional().describe('Options of a choice, with their answers.'),
    other: count.optional().describe('Number of answers with a text of their own.'),
    ranks: z
      .array(z.looseObject({ id: text, label: text, average: z.number() }))
      .optional()
      .describe('Options of a ranking, by average rank, the best first.'),
    rows: z
      .array(z.looseObject({ id: text, label: text, choices: z.array(choiceTallySchema) }))
      .optional()
      .describe('Rows of a grid, with the number of answers by column.'),
    numbers: z
      .looseObject({
        average: z.number(),
        median: z.number(),
        min: z.number(),
        max: z.number(),
        tally: z.array(z.looseObject({ from: z.number(), to: z.number(), count })),
      })
      .optional()
      .describe('Of numeric answers. `from` and `to` are both included.'),
    nps: z
      .looseObject({
        score: z.number().min(-100).max(100),
        promoters: count,
        passives: count,
        detractors: count,
      })
      .optional(),
    latest: z
      .array(z.looseObject({ response_id: id, text: text }))
      .optional()
      .describe('The latest answers of other types, as text, at most 5.'),
  },
)
export const formSummarySchema = shown(
  'The answers of a form, question by question. Counts the newest responses and drafts.',
  {
    form_id: text,
    responses: count.describe('Number of submitted responses.'),
    counted_responses: count.describe('Number of those that are counted here: the newest 2,000.'),
    drafts: count.describe('Number of drafts.'),
    counted_drafts: count.describe('Number of those that are counted here: the newest 2,000.'),
    counted_since: timestampSchema.nullable().describe('When the oldest counted response was submitted.'),
    median_duration_sec: z.number().nullable().describe('Of the counted responses, or null without any.'),
    average_score: z.number().nullable().describe('Of the counted responses that have a score.'),
    max_score: z.number().nullable(),
    questions: z.array(questionSummarySchema),
  },
)

export const formPreviewCreateSchema = accepted('The title, the questions and the language to show.', {
  title: titleSchema,
  questions: formFields.questions.unwrap(),
  language: formFields.language,
})
export const formPreviewSchema = z
  .looseObject({ path: text.describe('Path of the page, relative to `/_app/`. Needs no token.') })
  .describe('A page that shows questions that are not published.')
