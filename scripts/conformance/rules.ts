/** Who must prove a rule: the reference server, the client packages, or both. */
type Owner = 'server' | 'client' | 'both'

export interface Rule {
  readonly id: string
  readonly owner: Owner
  /** The rule in short. */
  readonly statement: string
}

/** Prefixes of the ids with their headings, in order. */
export const AREAS: readonly (readonly [string, string])[] = [
  ['ENV', 'Envelopes and conventions'],
  ['AUTH', 'Authentication and keys'],
  ['RATE', 'Rate limits'],
  ['ME', 'Me'],
  ['FORM', 'Forms'],
  ['RESP', 'Responses and answers'],
  ['POLL', 'Polling'],
  ['HOOK', 'Webhook endpoints'],
  ['DLV', 'Events and deliveries'],
  ['ERR', 'Errors'],
  ['VER', 'Versioning'],
]

const CLIENT: ReadonlySet<string> = new Set(['ENV-04', 'ENV-10', 'ERR-05', 'POLL-01', 'POLL-02', 'DLV-10'])
const BOTH: ReadonlySet<string> = new Set(['AUTH-02'])

/** Every rule of the service by id. */
const STATEMENTS: Readonly<Record<string, string>> = {
  'ENV-01': 'One object is returned as `{"data": {...}}`.',
  'ENV-02':
    'A list is returned as `{"data": [...], "meta": {page, per_page, total}}`; `total` counts what matches the filters.',
  'ENV-03': 'An error is returned as `{"error": {code, message, details?}}` with the matching status.',
  'ENV-04': 'Clients ignore unknown fields at every depth.',
  'ENV-05': 'Timestamps are ISO 8601 in UTC.',
  'ENV-06':
    '`page` from 1, `per_page` 1 to 100, default 25; anything else is 422 with the field. A page past the end is empty (U).',
  'ENV-07': 'JSON responses have `Content-Type: application/json`.',
  'ENV-08': 'No cookies; no CORS headers (U).',
  'ENV-09': 'Unknown query parameters and body fields are ignored (U).',
  'ENV-10':
    'Everything is HTTPS in production: clients refuse plain http beyond loopback unless `allowInsecure` is set.',
  'AUTH-01':
    'A missing, malformed, wrong or revoked key is 401 with `WWW-Authenticate: Bearer`; the scheme name is case-insensitive.',
  'AUTH-02': 'A key in a URL is never a credential; clients never put one there and never log one.',
  'AUTH-03': 'Scope `read` allows GET only; a write route is 403.',
  'AUTH-04': "A viewer's write key cannot change anything: the role is checked at use.",
  'AUTH-05': 'Owners and editors create write keys, viewers only read keys.',
  'AUTH-06': 'A key starts with `svc_`, is shown once, and is stored as a SHA-256 hash.',
  'AUTH-07': 'The next request with a revoked key is 401.',
  'AUTH-08': 'At most 10 active keys, per user (U); revoking one makes room.',
  'AUTH-09': "A password change revokes all of the user's keys.",
  'AUTH-10': 'Leaving a workspace revokes the keys created in it, and no others.',
  'AUTH-11': 'A plan grants read and write access to the API separately; without access 403 (U).',
  'AUTH-12': 'A resource of another workspace returns byte for byte the 404 of a missing one.',
  'AUTH-13':
    'Order of checks: key, rate limit, endpoint, plan, scope, role, resource, body and parameters (U).',
  'RATE-01': '120 requests per minute per key, then 429 with `Retry-After: 60`.',
  'RATE-02':
    '30 failed authentications per minute per address, then 429 for further ones; a valid key still works (U).',
  'RATE-03':
    'After `Retry-After` the client is served again; sliding window, refused requests do not count (U).',
  'ME-01': '`GET /me` returns user, workspace and key.',
  'FORM-01': 'Forms are listed most recently updated first, without trashed ones; ties are stable.',
  'FORM-02': 'The `status` filter accepts the four statuses; another value is 422.',
  'FORM-03': 'Ids have 12 characters; a trashed form is 404 (U).',
  'FORM-04': 'A form has every documented field.',
  'FORM-05': '`PATCH` accepts `status` and `title` (1 to 200 code points); both are applied or neither.',
  'FORM-06':
    '`status` is accepted only for a form that is already published; a closed one counts (U), others are 422 (U).',
  'FORM-07': 'Closing takes effect on the next request to the public link.',
  'FORM-08': 'A closed form can be reopened, always (U).',
  'FORM-09': 'A title set through the API is shown only in the dashboard until the form is published again.',
  'FORM-10':
    'A PATCH moves `updated_at`; setting the current status is 200; a response does not move it (U).',
  'FORM-11': 'A PATCH with no known field is 422 (U).',
  'FORM-12':
    '`response_count` counts submitted responses; deleting one lowers it, deleting a draft does not (U).',
  'FORM-13':
    '`opens_at`, `closes_at` and `response_limit` change what the public link accepts, not the status (U).',
  'FORM-14': "The id of a form is the one in dashboard URLs: the console's URL of a form contains it.",
  'RESP-01': 'Responses are listed newest first; `status` is `submitted` by default, or `in_progress`.',
  'RESP-02':
    '`since` is a date or date-time, with or without zone, inclusive; drafts by last save; an invalid value is 422.',
  'RESP-03': 'A response of another form, or an id that is not an integer, is 404.',
  'RESP-04':
    'DELETE removes a response with its answers and files; the second time 404; ids are never reused.',
  'RESP-05': "A response has every documented field; a draft's `submitted_at` is null (U).",
  'RESP-06': 'Answers are in form order, without skipped and hidden questions.',
  'RESP-07': '`value` and `text` have the documented shape for each of the 22 question types.',
  'RESP-08': '`meta` has `device`, `browser`, `os`, `ref`, `utm`.',
  'RESP-09':
    'A draft keeps id and start when it is submitted; `duration_sec` runs from the start to the submission (U).',
  'RESP-10': 'No route returns uploaded bytes.',
  'POLL-01': 'Polling: pass the newest `submitted_at` as `since`, page to the end, drop ids already seen.',
  'POLL-02': 'Nothing is lost or returned twice, whatever happens between two pages.',
  'HOOK-01': 'The list of endpoints never contains a secret.',
  'HOOK-02': '`POST` returns 201 with a secret that starts with `whsec_` and is never shown again.',
  'HOOK-03': '`DELETE` removes the endpoint and its log; pending deliveries are dropped; 200 (U).',
  'HOOK-04': 'A URL that breaks the address rules is 422 with field `url`.',
  'HOOK-05': 'The address rules apply again at every attempt, to the address of the actual connection.',
  'HOOK-06': 'At most 10 endpoints per form; the 11th is 422 (U).',
  'HOOK-07': 'Pause: nothing is sent, pending deliveries fail with a note. Resume: new responses are sent.',
  'HOOK-08': 'A new secret invalidates the old one immediately.',
  'HOOK-09': 'A plan may limit the endpoints of a workspace (U).',
  'DLV-01':
    '`response.submitted` goes to every active endpoint, for responses submitted after it was added; drafts send nothing.',
  'DLV-02': '`test.ping` on demand, with one example answer and response id 0.',
  'DLV-03': 'The body is `{event, form, response}`.',
  'DLV-04': 'Event, delivery, timestamp and signature headers.',
  'DLV-05': 'Any 2xx within 10 s is success; everything else fails; redirects are not followed.',
  'DLV-06': 'Six attempts, after 1 min, 5 min, 30 min, 2 h, 12 h; the delivery id stays.',
  'DLV-07': 'The log shows the latest 50 deliveries of an endpoint.',
  'DLV-08': 'Replay queues a copy with a new id.',
  'DLV-09': 'Deliveries older than 30 days that are not pending are deleted.',
  'DLV-10': 'Receivers verify the raw bytes in constant time first, and dedupe.',
  'DLV-11':
    'A slow, hanging or endless receiver delays nothing else, and its response is never buffered beyond what is kept.',
  'DLV-12': 'The delivery log is shown in the web app: no API route returns deliveries.',
  'DLV-13': '`X-Service-Event` equals the `event` of the body.',
  'ERR-01': 'A request that cannot be parsed is 400: JSON, content type, size, percent-encoding.',
  'ERR-02': '404 also for a method that a path does not support.',
  'ERR-03': '422 names the invalid field.',
  'ERR-04': '500 reveals nothing of its cause.',
  'ERR-05': 'Clients wait for `Retry-After` after a 429 before the next attempt.',
  'VER-01': 'The API lives under `/api/v1`; other versions are 404.',
}

const ownerOf = (id: string): Owner => (CLIENT.has(id) ? 'client' : BOTH.has(id) ? 'both' : 'server')

export const RULES: readonly Rule[] = Object.entries(STATEMENTS).map(([id, statement]) => ({
  id,
  owner: ownerOf(id),
  statement,
}))

/**
 * Rules that need a conformance case, run over every transport. Deliveries do not use one, and the console's URLs are
 * tested in a browser.
 */
export const needsCase = ({ id, owner }: Rule): boolean =>
  owner !== 'client' && !id.startsWith('DLV-') && !['FORM-14', 'HOOK-05', 'HOOK-07', 'HOOK-08'].includes(id)
