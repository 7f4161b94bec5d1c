import type { StateDump } from '../../src/store/state.ts'

/** Removes the member instead of replacing it. */
export const ABSENT = Symbol('absent')

const NOW = 1_700_000_000_000
const QUESTION = { id: 'q1', type: 'short_text', title: 'Name', required: false } as const
const FORM = {
  id: 'formsurvey01',
  revision: 1,
  workspaceId: 1,
  slug: 'survey',
  title: 'Survey',
  status: 'published',
  questions: [QUESTION],
  language: 'en',
  publication: { title: 'Survey', questions: [QUESTION], publishedAt: NOW },
  statusBeforeArchive: null,
  responseCount: 1,
  responseLimit: null,
  opensAt: null,
  closesAt: null,
  createdAt: NOW,
  updatedAt: NOW,
  trashedAt: null,
} as const
const DELIVERY = {
  sequence: 1,
  id: 'dlv_AAAAAAAAAAAAAAAAAAAA1',
  endpointId: 1,
  formId: 'formsurvey01',
  event: 'response.submitted',
  responseId: 1,
  body: '{"event":"response.submitted"}',
  status: 'delivered',
  attempts: [
    {
      number: 1,
      startedAt: NOW,
      durationMs: 1.5,
      httpStatus: 200,
      error: null,
      signature: 'sha256=aa',
      timestamp: 1_700_000_000,
      receiverAnswer: 'ok',
    },
  ],
  nextAttemptAt: null,
  stopNote: null,
  note: null,
  createdAt: NOW,
} as const

const DUMP: StateDump = {
  version: 1,
  people: {
    users: [{ id: 1, name: 'Ada', email: 'ada@example.com', passwordChangedAt: null }],
    workspaces: [
      { id: 1, name: 'Team', plan: 'business', createdAt: NOW },
      { id: 2, name: 'Other', plan: 'free', createdAt: NOW },
    ],
    memberships: [{ workspaceId: 1, userId: 1, role: 'owner' }],
    lastUserId: 1,
    lastWorkspaceId: 2,
  },
  keys: {
    keys: [
      {
        id: 1,
        name: 'Key',
        prefix: 'svc_abcdef',
        scope: 'write',
        hash: '0123456789abcdef'.repeat(4),
        userId: 1,
        workspaceId: 1,
        createdAt: NOW,
        revokedAt: null,
        printed: 'current',
      },
    ],
    lastId: 1,
  },
  forms: {
    forms: [
      FORM,
      { ...FORM, id: 'formsurvey02', revision: 2, workspaceId: 2, slug: 'other', publication: null },
    ],
    lastRevision: 2,
  },
  responses: {
    responses: [
      {
        id: 1,
        formId: 'formsurvey01',
        status: 'submitted',
        startedAt: NOW,
        at: NOW,
        sequence: 1,
        content: {
          email: null,
          score: null,
          maxScore: null,
          answers: [{ question_id: 'q1', title: 'Name', type: 'short_text', value: 'Ada', text: 'Ada' }],
          meta: { device: 'desktop' },
        },
        draft: null,
      },
      {
        id: 2,
        formId: 'formsurvey01',
        status: 'in_progress',
        startedAt: NOW,
        at: NOW,
        sequence: 2,
        content: { email: null, score: null, maxScore: null, answers: [], meta: {} },
        draft: { token: 'draft-token', answers: [{ question_id: 'q1', value: 'A' }] },
      },
    ],
    lastId: 2,
  },
  endpoints: {
    endpoints: [
      {
        id: 1,
        formId: 'formsurvey01',
        workspaceId: 1,
        url: 'https://hooks.example.com/',
        active: true,
        secret: 'whsec_test',
        createdAt: NOW,
        failingSince: null,
      },
    ],
    lastId: 1,
  },
  deliveries: {
    deliveries: [
      DELIVERY,
      {
        ...DELIVERY,
        sequence: 2,
        id: 'dlv_AAAAAAAAAAAAAAAAAAAA2',
        status: 'pending',
        attempts: [],
        nextAttemptAt: NOW,
      },
    ],
    lastSequence: 2,
  },
  uploads: {
    uploads: [
      {
        id: 'upload1',
        formId: 'formsurvey01',
        questionId: null,
        name: 'cv.pdf',
        size: 10,
        uploadedAt: NOW,
        responseId: 1,
      },
    ],
  },
  submitTokens: {
    issued: 2,
    expiredUpTo: '1699999999999.1.x',
    used: [{ token: '1700000000000.2.x', formId: 'formsurvey01', responseId: 1 }],
  },
}

/** Returns a dump with records of every table, and one other value, such as `forms.forms[0].slug`. */
export function dumpWith(path?: string, value?: unknown): StateDump {
  // Parts that records share are copied for each.
  const dump = JSON.parse(JSON.stringify(DUMP)) as StateDump
  if (path === undefined) return dump
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  const last = names.pop() as string
  const parent = names.reduce<object>((at, name) => Reflect.get(at, name) as object, dump)
  if (value === ABSENT) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  return dump
}
