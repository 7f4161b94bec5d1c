import fc from 'fast-check'
import { anyCharacter } from '../../../../../test/support/any-character.ts'
import { CLOSED, DRAFT, ELSEWHERE, FORM, KEYS, TRASHED } from '../../conformance/seed.ts'

/** A request of a hostile client. */
export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

const oneOf = fc.constantFrom

const forms = fc.oneof(
  { weight: 12, arbitrary: oneOf(FORM) },
  { weight: 4, arbitrary: oneOf(DRAFT, CLOSED, TRASHED, ELSEWHERE) },
  { weight: 2, arbitrary: oneOf('nosuchform01', '', '%', '%2e%2e', '..', '%00', '__proto__', 'constructor') },
)
const ids = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -1, max: 9 }).map(String) },
  {
    weight: 1,
    arbitrary: oneOf('1.0', '01', '%31', 'NaN', '1e999', '99999999999999999999', '__proto__', '%ff', '１'),
  },
)
const junk = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  oneOf('/', '//', '\u0000', '%', '%zz', '\ud800', 'x'.repeat(9000)),
)

/** Encodes text for a path or query; text that cannot be encoded becomes broken percent-encoding. */
const encode = (text: string): string => {
  try {
    return encodeURIComponent(text)
  } catch {
    return '%ED%A0%80'
  }
}
const segment = fc.oneof(junk.map(encode), forms, ids)

const apiPath = fc.oneof(
  { weight: 2, arbitrary: oneOf('/me', '/forms', '', '/', '/nothing') },
  { weight: 3, arbitrary: forms.map((form) => `/forms/${form}`) },
  { weight: 3, arbitrary: forms.map((form) => `/forms/${form}/responses`) },
  { weight: 3, arbitrary: fc.tuple(forms, ids).map(([form, id]) => `/forms/${form}/responses/${id}`) },
  { weight: 3, arbitrary: forms.map((form) => `/forms/${form}/webhooks`) },
  { weight: 2, arbitrary: fc.tuple(forms, ids).map(([form, id]) => `/forms/${form}/webhooks/${id}`) },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`) },
)
const slugs = fc.oneof(
  { weight: 6, arbitrary: oneOf('survey') },
  { weight: 2, arbitrary: oneOf('closed', 'draft', 'trashed', 'nothing', '%', '__proto__') },
)
const publicPath = fc.oneof(
  slugs.map((slug) => `/f/${slug}`),
  slugs.map((slug) => `/f/${slug}/drafts`),
  slugs.map((slug) => `/f/${slug}/files`),
  fc.tuple(slugs, segment).map(([slug, token]) => `/f/${slug}/drafts/${token}`),
  fc.tuple(slugs, segment).map(([slug, token]) => `/f/${slug}/drafts/${token}/submit`),
)
const appPath = fc.oneof(
  oneOf(
    ...['/health', '/forms', '/users', '/workspaces', '/keys', '/requests', '/faults', '/clock'],
    ...['/console', '/clock/advance', '/deliveries/x', '/deliveries/x/replay'],
  ),
  forms.map((form) => `/forms/${form}`),
  fc
    .tuple(
      forms,
      oneOf(
        ...['publish', 'archive', 'unarchive', 'restore', 'responses', 'webhooks', 'webhooks/1/pause'],
        ...['webhooks/1/test', 'webhooks/1/deliveries', 'responses/1'],
      ),
    )
    .map(([form, rest]) => `/forms/${form}/${rest}`),
  fc.tuple(ids, ids).map(([a, b]) => `/workspaces/${a}/members/${b}`),
  ids.map((id) => `/users/${id}/password`),
)
const path = fc.oneof(
  { weight: 10, arbitrary: apiPath.map((rest) => `/api/v1${rest}`) },
  { weight: 4, arbitrary: publicPath },
  { weight: 4, arbitrary: appPath.map((rest) => `/_app${rest}`) },
  { weight: 1, arbitrary: oneOf('/', '/api/v2/me', '/openapi.json', '/api', '/_app', '/f', '/favicon.ico') },
)

const value = fc.oneof(
  oneOf(
    ...['1', '0', '-1', '2', '100', '101', '9007199254740991', '', 'draft', 'in_progress', 'submitted'],
    ...['published', '2026-02-11', '2026-02-30', '2026-02-11T10:00:00%2B02:00', '%', '%00'],
  ),
  junk.map(encode),
)
const broken = fc
  .array(
    fc.tuple(oneOf('page', 'per_page', 'status', 'since', 'workspace_id', 'x', '__proto__', '%', ''), value),
    { minLength: 1, maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join('&'))
const query = fc.oneof(
  { weight: 12, arbitrary: oneOf('') },
  {
    weight: 3,
    arbitrary: oneOf('page=2', 'per_page=1&page=2', 'since=2026-02-11', 'status=draft', 'status=in_progress'),
  },
  { weight: 4, arbitrary: broken },
)

const jsonValue = fc.jsonValue({ maxDepth: 3 })
const known = fc.record(
  {
    title: fc.oneof(fc.string(), fc.string({ unit: anyCharacter, maxLength: 300 }), jsonValue),
    status: fc.oneof(oneOf('published', 'closed', 'archived'), jsonValue),
    url: fc.oneof(
      oneOf('http://127.0.0.1:9/', 'https://127.0.0.1', 'http://[::1]:9/', 'https://x:y@z', 'ftp://x'),
      fc.webUrl().map(() => 'http://10.0.0.1/'),
      jsonValue,
    ),
    answers: fc.oneof(
      fc.array(fc.record({ question_id: oneOf('name', 'stars', 'x', '__proto__'), value: jsonValue }), {
        maxLength: 4,
      }),
      jsonValue,
    ),
    email: jsonValue,
    name: jsonValue,
    scope: fc.oneof(oneOf('read', 'write'), jsonValue),
    role: fc.oneof(oneOf('viewer', 'editor', 'owner'), jsonValue),
    questions: fc.oneof(fc.array(jsonValue, { maxLength: 3 }), jsonValue),
    meta: jsonValue,
    submitted_at: fc.oneof(oneOf('2026-02-11', '0000-01-01', '9999-12-31T23:59:59Z'), jsonValue),
    started_at: fc.oneof(oneOf('2026-02-11', '0000-01-01'), jsonValue),
    response_limit: jsonValue,
    opens_at: jsonValue,
    by: fc.oneof(oneOf(0, '1s', '-1s'), jsonValue),
    plan: fc.oneof(oneOf('business', 'starter'), jsonValue),
    path: oneOf('/nowhere/*', 1),
    times: oneOf(0, 1, 'x'),
  },
  { requiredKeys: [] },
)
const jsonBody = fc.oneof(
  { weight: 4, arbitrary: known.map((body) => JSON.stringify(body)) },
  { weight: 1, arbitrary: jsonValue.map((body) => JSON.stringify(body)) },
)
const body = fc.oneof(
  { weight: 6, arbitrary: jsonBody },
  {
    weight: 1,
    arbitrary: oneOf(
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"__proto__":{"x":1}}',
      '{"title":"a","title":"b"}',
      `{"title":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      'answers=1&q[name]=x&q[stars][1]=2&q[__proto__][x]=1',
      '--x\r\n\r\n--x--',
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)) },
)
const contentType = fc.oneof(
  { weight: 8, arbitrary: oneOf<string | undefined>('application/json') },
  {
    weight: 3,
    arbitrary: oneOf<string | undefined>(
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'multipart/form-data',
      'application/json; charset=utf-7',
    ),
  },
)

/** Methods that fit the end of a path, so that most requests pass the router. */
const FITTING: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\/(responses|webhooks)\/[^/]*$/, ['GET', 'DELETE']],
  [/\/members\/[^/]*$/, ['PUT', 'DELETE']],
  [/^\/api.*\/webhooks$/, ['GET', 'POST']],
  [/^\/_app\/(forms|users|workspaces|keys|faults)$|^\/_app.*\/(responses|webhooks)$/, ['GET', 'POST']],
  [/^\/_app\/forms\/[^/]*$/, ['GET', 'PATCH']],
  [/^\/_app\/forms\/|password$|advance$|replay$/, ['POST']],
  [/^\/api\/v1\/forms\/[^/]*$/, ['GET', 'PATCH']],
  [/^\/f\/[^/]*$/, ['GET', 'POST']],
  [/\/drafts\/[^/]*$/, ['GET', 'PUT']],
  [/\/(drafts|files|submit)$/, ['POST']],
]
const methodFor = (path: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: oneOf(...(FITTING.find(([pattern]) => pattern.test(path))?.[1] ?? ['GET'])) },
    { weight: 1, arbitrary: oneOf('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'BREW') },
  )

/** Requests against the conformance seed; `admin` is the token of the control API. */
export const fuzzRequest = (admin: string): fc.Arbitrary<FuzzRequest> => {
  const credential = fc.oneof(
    { weight: 12, arbitrary: oneOf<string | undefined>(`Bearer ${KEYS.write}`, `Bearer ${admin}`) },
    {
      weight: 3,
      arbitrary: oneOf<string | undefined>(
        `Bearer ${KEYS.read}`,
        `bearer ${KEYS.viewer}`,
        `Bearer ${KEYS.elsewhere}`,
        `Bearer ${KEYS.revoked}`,
        'Bearer x',
        '',
        undefined,
      ),
    },
  )
  const target = path.chain((where) => fc.record({ where: fc.constant(where), verb: methodFor(where) }))
  return fc
    .record({ target, query, body, contentType, credential })
    .map(
      ({ target: { where, verb }, query: search, body: payload, contentType: type, credential: given }) => {
        const hasBody = verb !== 'GET' && verb !== 'HEAD'
        const authorization = fitting(where, given, admin)
        return {
          method: verb,
          target: search === '' ? where : `${where}?${search}`,
          headers: {
            ...(authorization !== undefined && { authorization }),
            ...(hasBody && type !== undefined && { 'content-type': type }),
          },
          body: hasBody ? payload : undefined,
        }
      },
    )
}

/** Mostly the right credential for the path: a key for the API, the token for the control API. */
function fitting(path: string, given: string | undefined, admin: string): string | undefined {
  if (path.startsWith('/_app') && given === `Bearer ${KEYS.write}`) return `Bearer ${admin}`
  if (path.startsWith('/api') && given === `Bearer ${admin}`) return `Bearer ${KEYS.write}`
  return given
}
