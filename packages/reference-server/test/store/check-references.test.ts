import { describe, expect, it } from 'vitest'
import { checkReferences } from '../../src/store/check-references.ts'
import { ABSENT, dumpWith } from './dump.ts'

const { people, keys, forms, responses, endpoints, deliveries, uploads, submitTokens } = dumpWith()
const [user] = people.users
const [key] = keys.keys
const [, form] = forms.forms
const [draft] = responses.responses
const [endpoint] = endpoints.endpoints
const [delivery] = deliveries.deliveries
const [upload] = uploads.uploads
const [token] = submitTokens?.used ?? []
const [question] = form?.questions ?? []

const twice = 'is already used by another record'
const unknown = (what: string) => `refers to ${what} that is not in the snapshot`

const normalised = 'differs from the normalised question definition'

/** A path, a value, why it is refused, and below which member of the path. */
const REFUSED: [path: string, value: unknown, reason: string, below?: string][] = [
  ['people.users[1]', user, twice, '.id'],
  ['people.workspaces[1].id', 1, twice],
  ['people.memberships[0].userId', 9, unknown('a user')],
  ['people.memberships[0].workspaceId', 9, unknown('a workspace')],
  ['keys.keys[1]', { ...key, hash: 'f' }, twice, '.id'],
  ['keys.keys[1]', { ...key, id: 2 }, twice, '.hash'],
  ['keys.keys[0].userId', 9, unknown('a user')],
  ['keys.keys[0].workspaceId', 9, unknown('a workspace')],
  ['forms.forms[2]', { ...form, slug: 'fourth' }, twice, '.id'],
  ['forms.forms[2].slug', 'every', twice],
  ['forms.forms[1].workspaceId', 9, unknown('a workspace')],
  ['forms.forms[1].questions[0]', { ...question, colour: 'red' }, normalised],
  ['forms.forms[1].publication.questions[1]', { ...question, id: 'q2', colour: 'red' }, normalised],
  ['forms.forms[1].questions[1]', question, `"${question?.id}" is the id of an earlier question`, '.id'],
  ['responses.responses[1].id', 1, twice],
  ['responses.responses[0].formId', 'formother001', unknown('a form')],
  ['responses.responses[1].draft', draft?.draft, 'must be null: the response is submitted'],
  ['responses.responses[0].draft', null, 'must be an object: the response is in_progress'],
  ['responses.responses[2]', { ...draft, id: 3 }, twice, '.draft.token'],
  ['endpoints.endpoints[1]', endpoint, twice, '.id'],
  ['endpoints.endpoints[0].formId', 'formother001', unknown('a form')],
  ['endpoints.endpoints[0].workspaceId', 2, "is not the workspace of the endpoint's form"],
  ['deliveries.deliveries[2]', { ...delivery, id: 'dlv_BBBBBBBBBBBBBBBBBBBB1' }, twice, '.sequence'],
  ['deliveries.deliveries[2]', { ...delivery, sequence: 3 }, twice, '.id'],
  ['deliveries.deliveries[0].endpointId', 9, unknown('a webhook endpoint')],
  ['deliveries.deliveries[0].formId', 'archived0001', "is not the form of the delivery's endpoint"],
  [
    'deliveries.deliveries[0].id',
    'dlv_AAAAAAAAAAAAAAAAAAAA3',
    "is not an id that ends in the delivery's sequence",
  ],
  ['deliveries.deliveries[0].nextAttemptAt', 0, 'must be null: the delivery is failed'],
  ['deliveries.deliveries[3].nextAttemptAt', null, 'must be an instant: the delivery is pending'],
  ['uploads.uploads[1]', upload, twice, '.id'],
  ['uploads.uploads[0].formId', 'formother001', unknown('a form')],
  ['uploads.uploads[0].responseId', 99, unknown('a response')],
  ['submitTokens.used[1]', token, twice, '.token'],
  ['submitTokens.used[0].formId', 'formother001', unknown('a form')],
]

describe('checkReferences', () => {
  it('accepts a state, also with records whose response was deleted, and one of an earlier version', () => {
    for (const [path, value] of [
      [],
      ['deliveries.deliveries[0].responseId', 99],
      ['submitTokens.used[0].responseId', 99],
      ['uploads.uploads[0].responseId', 8],
      ['submitTokens', ABSENT],
    ] as const)
      expect(() => checkReferences(dumpWith(path, value))).not.toThrow()
  })

  it.each(REFUSED.map(([path, value, reason, below = '']) => ({ path, value, at: path + below, reason })))(
    'with another $path, refuses $at: $reason',
    ({ path, value, at, reason }) => {
      expect(() => checkReferences(dumpWith(path, value))).toThrow(
        expect.objectContaining({ name: 'SnapshotError', path: `state.${at}`, message: reason }),
      )
    },
  )
})
