import { describe, expect, it } from 'vitest'
import { checkReferences } from '../../src/store/check-references.ts'
import { ABSENT, dumpWith } from './dump.ts'

const { people, keys, forms, responses, endpoints, deliveries, uploads, submitTokens } = dumpWith()
const [user] = people.users
const [key] = keys.keys
const [form] = forms.forms
const [, draft] = responses.responses
const [endpoint] = endpoints.endpoints
const [delivery] = deliveries.deliveries
const [upload] = uploads.uploads
const [token] = submitTokens?.used ?? []
const question = { id: 'q1', type: 'short_text', title: 'Name', required: false }

const twice = 'is already used by another record'
const unknown = (what: string) => `refers to ${what} that is not in the snapshot`

/** A value, and where and why it is refused. */
const REFUSED: [path: string, value: unknown, at: string, reason: string][] = [
  ['people.users[1]', user, 'people.users[1].id', twice],
  ['people.workspaces[1].id', 1, 'people.workspaces[1].id', twice],
  ['people.memberships[0].userId', 9, 'people.memberships[0].userId', unknown('a user')],
  ['people.memberships[0].workspaceId', 9, 'people.memberships[0].workspaceId', unknown('a workspace')],
  ['keys.keys[1]', { ...key, hash: 'f' }, 'keys.keys[1].id', twice],
  ['keys.keys[1]', { ...key, id: 2 }, 'keys.keys[1].hash', twice],
  ['keys.keys[0].userId', 9, 'keys.keys[0].userId', unknown('a user')],
  ['keys.keys[0].workspaceId', 9, 'keys.keys[0].workspaceId', unknown('a workspace')],
  ['forms.forms[2]', { ...form, slug: 'fourth' }, 'forms.forms[2].id', twice],
  ['forms.forms[1].slug', 'survey', 'forms.forms[1].slug', twice],
  ['forms.forms[1].workspaceId', 9, 'forms.forms[1].workspaceId', unknown('a workspace')],
  [
    'forms.forms[0].questions[0].colour',
    'red',
    'forms.forms[0].questions[0]',
    'differs from the normalised question definition',
  ],
  [
    'forms.forms[0].publication.questions[1]',
    { ...question, id: 'q2', colour: 'red' },
    'forms.forms[0].publication.questions[1]',
    'differs from the normalised question definition',
  ],
  [
    'forms.forms[0].questions[1]',
    question,
    'forms.forms[0].questions[1].id',
    '"q1" is the id of an earlier question',
  ],
  ['responses.responses[1].id', 1, 'responses.responses[1].id', twice],
  ['responses.responses[0].formId', 'formother001', 'responses.responses[0].formId', unknown('a form')],
  [
    'responses.responses[0].draft',
    draft?.draft,
    'responses.responses[0].draft',
    'must be null: the response is submitted',
  ],
  [
    'responses.responses[1].draft',
    null,
    'responses.responses[1].draft',
    'must be an object: the response is in_progress',
  ],
  ['responses.responses[2]', { ...draft, id: 3 }, 'responses.responses[2].draft.token', twice],
  ['endpoints.endpoints[1]', endpoint, 'endpoints.endpoints[1].id', twice],
  ['endpoints.endpoints[0].formId', 'formother001', 'endpoints.endpoints[0].formId', unknown('a form')],
  [
    'endpoints.endpoints[0].workspaceId',
    2,
    'endpoints.endpoints[0].workspaceId',
    "is not the workspace of the endpoint's form",
  ],
  [
    'deliveries.deliveries[2]',
    { ...delivery, id: 'dlv_BBBBBBBBBBBBBBBBBBBB1' },
    'deliveries.deliveries[2].sequence',
    twice,
  ],
  ['deliveries.deliveries[2]', { ...delivery, sequence: 3 }, 'deliveries.deliveries[2].id', twice],
  [
    'deliveries.deliveries[0].endpointId',
    9,
    'deliveries.deliveries[0].endpointId',
    unknown('a webhook endpoint'),
  ],
  [
    'deliveries.deliveries[0].formId',
    'formsurvey02',
    'deliveries.deliveries[0].formId',
    "is not the form of the delivery's endpoint",
  ],
  [
    'deliveries.deliveries[0].id',
    'dlv_AAAAAAAAAAAAAAAAAAAA3',
    'deliveries.deliveries[0].id',
    "is not an id that ends in the delivery's sequence",
  ],
  [
    'deliveries.deliveries[0].nextAttemptAt',
    0,
    'deliveries.deliveries[0].nextAttemptAt',
    'must be null: the delivery is delivered',
  ],
  [
    'deliveries.deliveries[1].nextAttemptAt',
    null,
    'deliveries.deliveries[1].nextAttemptAt',
    'must be an instant: the delivery is pending',
  ],
  ['uploads.uploads[1]', upload, 'uploads.uploads[1].id', twice],
  ['uploads.uploads[0].formId', 'formother001', 'uploads.uploads[0].formId', unknown('a form')],
  ['uploads.uploads[0].responseId', 9, 'uploads.uploads[0].responseId', unknown('a response')],
  ['submitTokens.used[1]', token, 'submitTokens.used[1].token', twice],
  ['submitTokens.used[0].formId', 'formother001', 'submitTokens.used[0].formId', unknown('a form')],
]

describe('checkReferences', () => {
  it('accepts a state, also with records whose response was deleted, and one of an earlier version', () => {
    for (const [path, value] of [
      [],
      ['deliveries.deliveries[0].responseId', 9],
      ['submitTokens.used[0].responseId', 9],
      ['uploads.uploads[0].responseId', null],
      ['submitTokens', ABSENT],
    ] as const)
      expect(() => checkReferences(dumpWith(path, value))).not.toThrow()
  })

  it.each(REFUSED.map(([path, value, at, reason]) => ({ path, value, at, reason })))(
    'with another $path, refuses $at: $reason',
    ({ path, value, at, reason }) => {
      expect(() => checkReferences(dumpWith(path, value))).toThrow(
        expect.objectContaining({ name: 'SnapshotError', path: `state.${at}`, message: reason }),
      )
    },
  )
})
