/** Who has to prove a rule: the reference server, the packages that talk to a server, or both. */
type Owner = 'server' | 'client' | 'both'

export interface Rule {
  readonly id: string
  readonly owner: Owner
  /** What it says, in short. */
  readonly says: string
}

const CLIENT: ReadonlySet<string> = new Set(['ENV-04', 'ERR-05', 'POLL-01', 'POLL-02', 'DLV-10'])
const BOTH: ReadonlySet<string> = new Set(['AUTH-02'])

/** Every rule of the service by id. */
const STATEMENTS: Readonly<Record<string, string>> = {
  'ENV-01': 'One object comes as `{"data": {...}}`.',
  'ENV-02':
    'A list comes as `{"data": [...], "meta": {page, per_page, total}}`; `total` counts what matches the filters.',
  'ENV-03': 'An error comes as `{"error": {code, message, details?}}` with the matching status.',
  'ENV-04': 'Clients ignore fields they do not know, at every depth.',
  'ENV-05': 'Timestamps are ISO 8601 in UTC.',
  'ENV-06':
    '`page` from 1, `per_page` 1 to 100, default 25; anything else is 422 with the field. A page past the end is empty (U).',
  'ENV-07': 'JSON answers carry `Content-Type: application/json`.',
  'ENV-08': 'No cookies; no CORS headers (U).',
  'ENV-09': 'Unknown query parameters and body fields are ignored (U).',
  'AUTH-01':
    'A missing, malformed, wrong or revoked key is 401 with `WWW-Authenticate: Bearer`; the scheme has no case.',
  'AUTH-02': 'A key in a url is never a credential; clients never put one there and never log one.',
  'AUTH-03': 'Scope `read` allows GET only; a write route is 403.',
  'AUTH-04': "A viewer's write key cannot change anything: the role is checked at use.",
  'AUTH-05': 'Owners and editors create write keys, viewers only read keys.',
  'AUTH-06': 'A key starts with `svc_`, is shown once, and is stored as a SHA-256 hash.',
  'AUTH-07': 'The next request with a revoked key is 401.',
  'AUTH-08': 'At most 10 active keys a user (U); a revoked one frees its place.',
  'AUTH-09': "A new password revokes all of the user's keys.",
  'AUTH-10': 'Leaving a workspace revokes the keys made in it, and no others.',
  'AUTH-11': 'A plan grants API reads and writes apart; without it 403 (U).',
  'AUTH-12': 'What is in another workspace gives byte for byte the 404 of what does not exist.',
  'AUTH-13':
    'Order of checks: key, rate limit, endpoint, plan, scope, role, resource, body and parameters (U).',
  'RATE-01': '120 requests a minute a key, then 429 with `Retry-After: 60`.',
  'RATE-02':
    '30 failed authentications a minute an address, then 429 for failing ones; a valid key still works (U).',
  'RATE-03':
    'After `Retry-After` the client is served again; sliding window, refused requests do not count (U).',
  'ME-01': '`GET /me` gives user, workspace and key.',
  'FORM-01': 'Forms come most recently updated first, never trashed ones; ties are stable.',
  'FORM-02': 'The `status` filter takes the four states; another value is 422.',
  'FORM-03': 'Ids have 12 characters; a trashed form is 404 (U).',
  'FORM-04': 'A form has every documented field.',
  'FORM-05': '`PATCH` takes `status` and `title` (1 to 200 code points); both are applied or neither.',
  'FORM-06':
    '`status` is taken only for a form that is already published; a closed one counts (U), others are 422 (U).',
  'FORM-07': 'Closing takes effect on the next request to the public link.',
  'FORM-08': 'A closed form can be reopened, always (U).',
  'FORM-09': 'A title set through the API shows in the dashboard only, until the form is published again.',
  'FORM-10': 'A PATCH moves `updated_at`; the status it has already is 200; a response does not move it (U).',
  'FORM-11': 'A PATCH with no known field is 422 (U).',
  'FORM-12':
    '`response_count` counts submitted responses; deleting one lowers it, deleting a draft does not (U).',
  'FORM-13':
    '`opens_at`, `closes_at` and `response_limit` change what the public link takes, not the status (U).',
  'RESP-01': 'Responses come newest first; `status` is `submitted` unless `in_progress` is asked for.',
  'RESP-02':
    '`since` is a date or date-time, with or without zone, inclusive; drafts by last save; garbage is 422.',
  'RESP-03': 'A response of another form, or an id that is no integer, is 404.',
  'RESP-04':
    'DELETE removes a response with its answers and files; the second time 404; ids are never reused.',
  'RESP-05': "A response has every documented field; a draft's `submitted_at` is null (U).",
  'RESP-06': 'Answers come in form order, without skipped and hidden questions.',
  'RESP-07': '`value` and `text` have the documented shape for each of the 22 question types.',
  'RESP-08': '`meta` has `device`, `browser`, `os`, `ref`, `utm`.',
  'RESP-09':
    'A draft keeps id and start when it is submitted; `duration_sec` is from the start to there (U).',
  'RESP-10': 'No route gives out uploaded bytes.',
  'POLL-01': 'Polling: pass the newest `submitted_at` as `since`, page to the end, drop ids already seen.',
  'POLL-02': 'Nothing is lost or given twice, whatever happens between two pages.',
  'HOOK-01': 'The list of endpoints never holds a secret.',
  'HOOK-02': '`POST` gives 201 with a secret that begins `whsec_` and is never shown again.',
  'HOOK-03': '`DELETE` removes the endpoint and its log; waiting attempts never happen; 200 (U).',
  'HOOK-04': 'An address that breaks the address rules is 422 field `url`.',
  'HOOK-05': 'The rules hold again at every attempt, on the address really connected to.',
  'HOOK-06': 'At most 10 endpoints a form; the 11th is 422 (U).',
  'HOOK-07': 'Pause: nothing new is sent, what waits fails with a note; resume: new responses are sent.',
  'HOOK-08': 'A new secret makes the old one invalid at once.',
  'HOOK-09': 'A plan may cap the endpoints of a workspace (U).',
  'DLV-01':
    '`response.submitted` goes to every active endpoint, for responses submitted after it was added; drafts send nothing.',
  'DLV-02': '`test.ping` on demand, with one example answer and response id 0.',
  'DLV-03': 'The body is `{event, form, response}`.',
  'DLV-04': 'Event, delivery, timestamp and signature headers.',
  'DLV-05': 'Any 2xx within 10 s is success; all else fails; redirects are not followed.',
  'DLV-06': 'Six attempts, after 1 min, 5 min, 30 min, 2 h, 12 h; the delivery id stays.',
  'DLV-07': 'The log shows the latest 50 of an endpoint.',
  'DLV-08': 'Replay queues a copy with a new id.',
  'DLV-09': 'Entries older than 30 days that are not pending are deleted.',
  'DLV-10': 'Receivers verify the raw bytes in constant time first, and dedupe.',
  'DLV-11': 'A slow, hanging or endless receiver delays nothing else and is never buffered.',
  'ERR-01': 'What cannot be read is 400: JSON, content type, size, percent-encoding.',
  'ERR-02': '404 also for a method that a path does not have.',
  'ERR-03': '422 names the field at fault.',
  'ERR-04': '500 tells nothing of its cause.',
  'ERR-05': 'Clients wait `Retry-After` on 429 before the next try.',
  'VER-01': 'The API lives under `/api/v1`; other versions are 404.',
}

const ownerOf = (id: string): Owner => (CLIENT.has(id) ? 'client' : BOTH.has(id) ? 'both' : 'server')

export const RULES: readonly Rule[] = Object.entries(STATEMENTS).map(([id, says]) => ({
  id,
  owner: ownerOf(id),
  says,
}))

/** Rules that are shown over every door by the table of cases; those of deliveries have no door of their own. */
export const needsCase = ({ id, owner }: Rule): boolean =>
  owner !== 'client' && !id.startsWith('DLV-') && !['HOOK-05', 'HOOK-07', 'HOOK-08'].includes(id)
