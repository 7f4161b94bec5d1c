import { describe, expect, it } from 'vitest'
import { blankDelivery, isExpired, makeDue, newDelivery, newDeliveryId } from '../../src/domain/delivery.ts'
import { EventChannel } from '../../src/domain/events.ts'
import { withExtraFields } from '../../src/domain/extra-fields.ts'
import { type ApiKey, isRevokedByLeaving, isRevokedByPasswordChange, revoke } from '../../src/domain/key.ts'
import {
  eventResponse,
  type ResponseFacts,
  type ResponseRecord,
  responseFacts,
  writeResponse,
} from '../../src/domain/response.ts'
import { countAfterDeletion, deleteResponseOf } from '../../src/domain/response-deletion.ts'
import { type EndpointRecord, generateSecret, receivesResponse } from '../../src/domain/webhook-endpoint.ts'
import { seededRandom } from '../../src/random.ts'
import { formRecord } from './form-record.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000

describe('keys that are revoked', () => {
  const key = (id: number, userId: number, workspaceId: number, revokedAt: number | null = null) =>
    ({ id, userId, workspaceId, revokedAt }) as ApiKey
  const KEYS = [key(1, 1, 1), key(2, 1, 2), key(3, 2, 1), key(4, 1, 1, 5)]
  const idsOf = (matches: (key: ApiKey) => boolean) => revoke(KEYS, matches, NOW).map(({ id }) => id)

  it('[AUTH-09] after a change of the password are the active ones of the user', () => {
    expect(idsOf((one) => isRevokedByPasswordChange(one, 1))).toEqual([1, 2])
    expect(idsOf((one) => isRevokedByPasswordChange(one, 2))).toEqual([3])
  })

  it('[AUTH-10] after leaving a workspace are the active ones of the user in it', () => {
    expect(idsOf((one) => isRevokedByLeaving(one, { userId: 1, workspaceId: 1 }))).toEqual([1])
    expect(idsOf((one) => isRevokedByLeaving(one, { userId: 2, workspaceId: 2 }))).toEqual([])
  })

  it('[AUTH-07] keep everything but the instant of their revocation', () => {
    expect(revoke(KEYS, () => true, NOW)[0]).toEqual(key(1, 1, 1, NOW))
  })
})

describe('a webhook endpoint', () => {
  it('[HOOK-02] has a secret of whsec_ and 40 letters and digits', () => {
    expect(generateSecret(seededRandom(1))).toMatch(/^whsec_[0-9A-Za-z]{40}$/)
    expect(generateSecret(seededRandom(1))).not.toBe(generateSecret(seededRandom(2)))
  })

  it('[DLV-01] [HOOK-07] receives responses from its creation on, unless it is paused', () => {
    const endpoint = { active: true, createdAt: NOW } as EndpointRecord
    expect([NOW - 1, NOW, NOW + 1].map((at) => receivesResponse(endpoint, at))).toEqual([false, true, true])
    expect(receivesResponse({ ...endpoint, active: false }, NOW + 1)).toBe(false)
  })
})

describe('a delivery record', () => {
  const delivery = newDelivery({
    sequence: 36,
    id: newDeliveryId(seededRandom(1), 36),
    endpointId: 1,
    formId: 'formsurvey01',
    event: 'response.submitted',
    responseId: 1,
    body: Buffer.from('{}'),
    createdAt: NOW,
  })

  it('[DLV-09] has an id of dlv_, 20 letters and digits, and its sequence', () => {
    expect(delivery.id).toMatch(/^dlv_[0-9A-Za-z]{20}10$/)
  })

  it('is due at once when it is hastened, but never later than before', () => {
    const later = { ...delivery, nextAttemptAt: NOW + 1000 }
    expect(makeDue(later, NOW + 10)).toEqual({ ...later, nextAttemptAt: NOW + 10 })
    expect(makeDue(later, NOW + 2000)).toEqual(later)
    expect(() => makeDue({ ...delivery, status: 'failed' }, NOW)).toThrow(
      `Delivery ${delivery.id} is failed and cannot be retried.`,
    )
  })

  it('keeps everything but its payload after its response was deleted', () => {
    expect(blankDelivery(delivery)).toEqual({ ...delivery, body: null })
  })

  it('[DLV-09] is kept for 30 days, and longer while it is pending', () => {
    const failed = { ...delivery, status: 'failed' as const }
    expect(isExpired(failed, NOW + 30 * DAY_MS)).toBe(false)
    expect(isExpired(failed, NOW + 30 * DAY_MS + 1)).toBe(true)
    expect(isExpired(delivery, NOW + 31 * DAY_MS)).toBe(false)
  })
})

describe('a response record', () => {
  const facts: ResponseFacts = {
    id: 7,
    formId: 'formsurvey01',
    status: 'submitted',
    startedAt: NOW - 61_999,
    at: NOW,
    sequence: 1,
    draft: null,
    content: {
      email: 'ada@example.com',
      score: 1,
      maxScore: 2,
      answers: [{ question_id: 'q', title: 'Q', type: 'email', value: 'x', text: 'x' } as never],
      meta: {} as never,
    },
  }
  const style = {
    timestamps: 'milliseconds',
    draftSubmittedAt: 'null',
    questionTypeNames: 'default',
  } as never
  const wire = (changes: Partial<ResponseFacts>, changedStyle: object = {}) =>
    JSON.parse(
      writeResponse({ ...facts, ...changes }, { ...(style as object), ...changedStyle } as never).json,
    )

  it('[RESP-05] has whole seconds of duration, never below 0', () => {
    expect(wire({}).duration_sec).toBe(61)
    expect(wire({ startedAt: NOW + 5000 }).duration_sec).toBe(0)
  })

  it('[RESP-05] has an instant of submission once it is submitted, or when a draft shows its last save', () => {
    expect(wire({}).submitted_at).toBe('2026-11-21T12:00:00.000Z')
    expect(wire({ status: 'in_progress' }).submitted_at).toBeNull()
    expect(wire({ status: 'in_progress' }, { draftSubmittedAt: 'lastSaved' }).submitted_at).toBe(
      '2026-11-21T12:00:00.000Z',
    )
  })

  it('[RESP-07] keeps the types of answers, however they are named', () => {
    for (const questionTypeNames of ['default', 'variant']) {
      const record = writeResponse(facts, { ...(style as object), questionTypeNames } as never)
      expect(JSON.parse(record.json).answers[0].type).toBe(
        questionTypeNames === 'variant' ? 'email_address' : 'email',
      )
      expect(responseFacts(record)).toEqual(facts)
    }
  })

  it('[DLV-03] has the shape of events', () => {
    expect(eventResponse(writeResponse(facts, style))).toEqual({
      id: 7,
      submitted_at: '2026-11-21T12:00:00.000Z',
      answers: facts.content.answers,
      score: 1,
      max_score: 2,
      meta: {},
    })
  })

  it('[FORM-12] lowers the count of its form when it is deleted, a draft only with countLowered', () => {
    expect(countAfterDeletion(5, 'submitted', 'countKept')).toBe(4)
    expect(countAfterDeletion(5, 'in_progress', 'countKept')).toBe(5)
    expect(countAfterDeletion(5, 'in_progress', 'countLowered')).toBe(4)
    expect(countAfterDeletion(0, 'submitted', 'countLowered')).toBe(0)
  })

  it('[RESP-04] [FORM-12] is deleted for good, and its form changes with the count only', () => {
    const form = formRecord({ responseCount: 2 })
    const countKept = { draftDeletion: 'countKept' } as const
    const draft = deleteResponseOf(form, { id: 7, status: 'in_progress' } as ResponseRecord, countKept)
    expect(draft.form).toBe(form)
    expect(draft.event).toStrictEqual({ type: 'response.deleted', formId: 'formsurvey01', responseId: 7 })
    const submitted = deleteResponseOf(form, { id: 7, status: 'submitted' } as ResponseRecord, countKept)
    expect(submitted.form).toStrictEqual({ ...form, responseCount: 1 })
  })
})

describe('events of the domain', () => {
  it('reach every subscriber in the order of publishing', () => {
    const channel = new EventChannel()
    const seen: string[] = []
    channel.subscribe(({ type }) => seen.push(`a ${type}`))
    channel.subscribe(({ type }) => seen.push(`b ${type}`))
    channel.publish({ type: 'form.trashed', formId: 'f' })
    channel.publish({ type: 'response.deleted', formId: 'f', responseId: 1 })
    expect(seen).toEqual(['a form.trashed', 'b form.trashed', 'a response.deleted', 'b response.deleted'])
  })
})

describe('fields of later versions', () => {
  const extra = { x_added_later: { note: 'unknown fields are ignored', list: [1, { deep: true }] } }

  it('[ENV-04] are in every object, but not in maps of data', () => {
    expect(withExtraFields({ a: [{ b: 1 }], c: null })).toEqual({
      a: [{ b: 1, ...extra }],
      c: null,
      ...extra,
    })
    expect(withExtraFields({ utm: { source: 'x' }, points: { a: 1 } })).toEqual({
      utm: { source: 'x' },
      points: { a: 1 },
      ...extra,
    })
  })

  it.each(['grid_single', 'grid_multiple', 'matrix_single', 'matrix_multiple'])(
    '[ENV-04] are not in the value of an answer of the type %s',
    (type) => {
      expect(withExtraFields({ type, value: { r1: 'c1' }, more: {} })).toEqual({
        type,
        value: { r1: 'c1' },
        more: extra,
        ...extra,
      })
    },
  )

  it('[ENV-04] are in the value of any other answer', () => {
    expect(withExtraFields({ type: 'address', value: { city: 'Ulm' } })).toEqual({
      type: 'address',
      value: { city: 'Ulm', ...extra },
      ...extra,
    })
  })
})
