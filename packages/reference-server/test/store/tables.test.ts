import { describe, expect, it } from 'vitest'
import type { DeliveryRecord } from '../../src/domain/delivery.ts'
import type { FormRecord } from '../../src/domain/form.ts'
import type { ApiKey } from '../../src/domain/key.ts'
import { type ResponseFacts, writeResponse } from '../../src/domain/response.ts'
import type { EndpointRecord } from '../../src/domain/webhook-endpoint.ts'
import { DeliveriesTable } from '../../src/store/deliveries.ts'
import { EndpointsTable } from '../../src/store/endpoints.ts'
import { FormsTable } from '../../src/store/forms.ts'
import { KeysTable } from '../../src/store/keys.ts'
import { PeopleTable } from '../../src/store/people.ts'
import { ResponsesTable } from '../../src/store/responses.ts'
import { type UploadRecord, UploadsTable } from '../../src/store/uploads.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'
import { formRecord } from '../domain/form-record.ts'

const NOW = 1_700_000_000_000

describe('the forms table', () => {
  const form = (changes: Partial<FormRecord>): FormRecord =>
    formRecord({ status: 'published', createdAt: NOW, updatedAt: NOW, ...changes })
  const listed = (table: FormsTable, workspaceId = 1, status?: FormRecord['status']) => {
    const { items, total } = table.list(workspaceId, status, NOW, 0, 100)
    expect(items).toHaveLength(total)
    return items.map(({ title }) => title)
  }

  it('finds a form only by its current slug', () => {
    const table = new FormsTable()
    table.put(form({}))
    table.put(form({ slug: 'renamed' }))
    expect([table.bySlug('survey'), table.bySlug('renamed')?.id]).toEqual([undefined, 'formsurvey01'])
  })

  it('[FORM-01] lists a form once after any change', () => {
    const table = new FormsTable()
    table.put(form({ title: 'A' }))
    table.put(form({ title: 'B', revision: 2 }))
    table.put(form({ title: 'C', revision: 2, status: 'closed' }))
    expect([listed(table), listed(table, 1, 'published'), listed(table, 1, 'closed')]).toEqual([
      ['C'],
      [],
      ['C'],
    ])
    table.put(form({ title: 'D', revision: 2, status: 'closed', workspaceId: 2 }))
    expect([listed(table), listed(table, 2), listed(table, 2, 'closed')]).toEqual([[], ['D'], ['D']])
    table.put(form({ title: 'E', revision: 2, status: 'closed', workspaceId: 2, updatedAt: NOW + 1 }))
    expect(listed(table, 2)).toEqual(['E'])
    table.put(form({ revision: 2, status: 'closed', workspaceId: 2, updatedAt: NOW + 1, trashedAt: NOW }))
    expect([listed(table, 2), listed(table, 2, 'closed')]).toEqual([[], []])
    expect(table.get('formsurvey01')?.trashedAt).toBe(NOW)
  })

  it('[FORM-01] lists the later of two forms updated at the same instant first', () => {
    const table = new FormsTable()
    table.put(form({ id: 'formsecond01', slug: 'b', title: 'Second', revision: 2 }))
    table.put(form({ title: 'First', revision: 1 }))
    table.put(form({ id: 'formnewest01', slug: 'c', title: 'Newest', revision: 0, updatedAt: NOW + 1 }))
    expect(listed(table)).toEqual(['Newest', 'Second', 'First'])
  })

  it('continues its revisions in a fork and from a dump', () => {
    const table = new FormsTable()
    table.put(form({ revision: 7 }))
    expect(table.fork().nextRevision()).toBe(8)
    expect(table.nextRevision()).toBe(8)
    expect(FormsTable.load({ ...table.dump(), lastRevision: 11 }, DEFAULT_UNSPECIFIED).nextRevision()).toBe(
      12,
    )
    expect(FormsTable.load({ ...table.dump(), lastRevision: 0 }, DEFAULT_UNSPECIFIED).nextRevision()).toBe(8)
  })

  it('shares no change with a fork', () => {
    const table = new FormsTable()
    table.put(form({ title: 'Before' }))
    const fork = table.fork()
    expect(fork.bySlug('survey')?.title).toBe('Before')
    fork.put(form({ title: 'Forked', slug: 'forked', revision: 2 }))
    table.put(form({ title: 'Kept', slug: 'kept', revision: 3 }))
    expect([listed(table), listed(fork)]).toEqual([['Kept'], ['Forked']])
    expect([table.bySlug('forked'), fork.bySlug('kept'), fork.bySlug('survey')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([table.bySlug('kept')?.title, fork.bySlug('forked')?.title]).toEqual(['Kept', 'Forked'])
    expect([table.get('formsurvey01')?.title, fork.get('formsurvey01')?.title]).toEqual(['Kept', 'Forked'])
  })
})

describe('the keys table', () => {
  const key = (changes: Partial<ApiKey>): ApiKey => ({
    id: 1,
    name: 'Key',
    prefix: 'svc_abcdef',
    scope: 'read',
    hash: 'a',
    userId: 1,
    workspaceId: 1,
    createdAt: NOW,
    revokedAt: null,
    ...changes,
  })

  it('finds a key only by its current hash', () => {
    const table = new KeysTable()
    table.put(key({}))
    table.put(key({ hash: 'b', name: 'Replaced' }))
    expect([table.byHash('a'), table.byHash('b')?.name, table.get(1)?.name]).toEqual([
      undefined,
      'Replaced',
      'Replaced',
    ])
  })

  it('never reuses an id, also in a fork and from a dump', () => {
    const table = new KeysTable()
    table.put(key({ id: 4 }))
    expect([table.fork().nextId(), table.nextId()]).toEqual([5, 5])
    expect(KeysTable.load({ ...table.dump(), lastId: 9 }).nextId()).toBe(10)
    expect(KeysTable.load({ ...table.dump(), lastId: 0 }).nextId()).toBe(5)
  })

  it('shares no change with a fork', () => {
    const table = new KeysTable()
    table.put(key({}))
    const fork = table.fork()
    fork.put(key({ revokedAt: NOW }))
    expect([table.get(1)?.revokedAt, table.byHash('a')?.revokedAt]).toEqual([null, null])
    expect([fork.get(1)?.revokedAt, fork.byHash('a')?.revokedAt]).toEqual([NOW, NOW])
  })
})

describe('the people table', () => {
  const user = (id: number) => ({
    id,
    name: `User ${id}`,
    email: `${id}@example.com`,
    passwordChangedAt: null,
  })
  const workspace = (id: number) => ({ id, name: `Workspace ${id}`, plan: 'free' as const, createdAt: NOW })

  it('never reuses an id, also in a fork and from a dump', () => {
    const table = new PeopleTable()
    table.putUser(user(3))
    table.putWorkspace(workspace(6))
    const fork = table.fork()
    expect([fork.nextUserId(), fork.nextWorkspaceId(), table.nextUserId(), table.nextWorkspaceId()]).toEqual([
      4, 7, 4, 7,
    ])
    const high = PeopleTable.load({ ...table.dump(), lastUserId: 20, lastWorkspaceId: 30 })
    expect([high.nextUserId(), high.nextWorkspaceId()]).toEqual([21, 31])
    const low = PeopleTable.load({ ...table.dump(), lastUserId: 0, lastWorkspaceId: 0 })
    expect([low.nextUserId(), low.nextWorkspaceId()]).toEqual([4, 7])
  })

  it('lists the members of one workspace by user, and shares no change with a fork', () => {
    const table = new PeopleTable()
    for (const [workspaceId, userId] of [
      [2, 1],
      [1, 2],
      [1, 1],
      [3, 1],
    ] as const)
      table.putMembership({ workspaceId, userId, role: 'editor' })
    const membersOf = (people: PeopleTable, id: number) => people.membersOf(id).map(({ userId }) => userId)
    expect([membersOf(table, 1), membersOf(table, 2), membersOf(table, 4)]).toEqual([[1, 2], [1], []])
    const fork = table.fork()
    expect([fork.removeMembership(1, 1), fork.removeMembership(1, 1)]).toEqual([true, false])
    expect([membersOf(table, 1), membersOf(fork, 1)]).toEqual([[1, 2], [2]])
  })
})

describe('the responses table', () => {
  const style = DEFAULT_UNSPECIFIED
  const response = (changes: Partial<ResponseFacts>) =>
    writeResponse(
      {
        id: 1,
        formId: 'formsurvey01',
        status: 'submitted',
        startedAt: NOW,
        at: NOW,
        sequence: 1,
        content: { email: null, score: null, maxScore: null, answers: [], meta: {} },
        draft: null,
        ...changes,
      },
      style,
    )
  const draft = (token: string, changes: Partial<ResponseFacts> = {}) =>
    response({ status: 'in_progress', draft: { token, answers: [] }, ...changes })
  const listed = (table: ResponsesTable, status: ResponseFacts['status'] = 'submitted') =>
    table.list('formsurvey01', status, undefined, 0, 100).items.map(({ id }) => id)

  it('[RESP-04] never reuses an id, also in a fork and from a dump', () => {
    const table = new ResponsesTable()
    table.put(response({ id: 5, sequence: 8 }))
    table.delete(5)
    const fork = table.fork()
    expect([fork.nextId(), fork.nextSequence(), table.nextId(), table.nextSequence()]).toEqual([6, 9, 6, 9])
    expect(ResponsesTable.load({ ...table.dump(), lastId: 40 }, style).nextId()).toBe(41)
    table.put(response({ id: 7, sequence: 12 }))
    const low = ResponsesTable.load({ ...table.dump(), lastId: 0 }, style)
    expect([low.nextId(), low.nextSequence()]).toEqual([8, 13])
  })

  it('[RESP-01] lists the later written response of an instant first, also from a dump', () => {
    const table = new ResponsesTable()
    table.put(draft('one', { id: 1, sequence: 1 }))
    table.put(draft('two', { id: 2, sequence: 2 }))
    table.put(draft('one', { id: 1, sequence: 3 }))
    expect(listed(table, 'in_progress')).toEqual([1, 2])
    expect(listed(ResponsesTable.load(table.dump(), style), 'in_progress')).toEqual([1, 2])
  })

  it('[RESP-01] orders responses of an instant in a dump without sequences by id', () => {
    const table = new ResponsesTable()
    table.put(response({ id: 1, sequence: 9 }))
    table.put(response({ id: 2, sequence: 3 }))
    const { responses, lastId } = table.dump()
    const old = responses.map(({ sequence: _, ...facts }) => facts as ResponseFacts)
    expect(listed(ResponsesTable.load({ responses: old, lastId }, style))).toEqual([2, 1])
  })

  it('[RESP-02] counts and pages from `since` on, inclusive', () => {
    const table = new ResponsesTable()
    for (let id = 1; id <= 4; id += 1) table.put(response({ id, sequence: id, at: NOW + id }))
    const page = table.list('formsurvey01', 'submitted', NOW + 2, 1, 5)
    expect([page.total, page.items.map(({ id }) => id)]).toEqual([3, [3, 2]])
  })

  it('finds a draft by its current token until it is submitted or deleted', () => {
    const table = new ResponsesTable()
    table.put(draft('one'))
    const fork = table.fork()
    table.put(response({ sequence: 2 }))
    expect([table.byDraftToken('one'), listed(table), listed(table, 'in_progress')]).toEqual([
      undefined,
      [1],
      [],
    ])
    expect(fork.byDraftToken('one')?.id).toBe(1)
    fork.delete(1)
    expect([fork.byDraftToken('one'), fork.delete(1), listed(fork, 'in_progress')]).toEqual([
      undefined,
      undefined,
      [],
    ])
    const loaded = ResponsesTable.load({ responses: [draftFacts()], lastId: 1 }, style)
    expect(loaded.byDraftToken('loaded')?.id).toBe(1)
  })

  const draftFacts = (): ResponseFacts => ({
    id: 1,
    formId: 'formsurvey01',
    status: 'in_progress',
    startedAt: NOW,
    at: NOW,
    sequence: 1,
    content: { email: null, score: null, maxScore: null, answers: [], meta: {} },
    draft: { token: 'loaded', answers: [] },
  })
})

describe('the endpoints table', () => {
  const endpoint = (id: number, formId = 'formsurvey01', workspaceId = 1): EndpointRecord => ({
    id,
    formId,
    workspaceId,
    url: 'https://hooks.example.com/',
    active: true,
    secret: 'whsec_test',
    createdAt: NOW,
  })
  const counts = (table: EndpointsTable) => [
    table.ofForm('formsurvey01').map(({ id }) => id),
    table.countOfForm('formsurvey01'),
    table.countOfWorkspace(1),
    table.all().map(({ id }) => id),
  ]

  it('[HOOK-06] [HOOK-09] counts by form and by workspace, after deletions too', () => {
    const table = new EndpointsTable()
    for (const one of [endpoint(2), endpoint(1), endpoint(3, 'formother001'), endpoint(4, 'formelse0001', 2)])
      table.put(one)
    table.put({ ...endpoint(2), active: false })
    expect(counts(table)).toEqual([[1, 2], 2, 3, [1, 2, 3, 4]])
    const fork = table.fork()
    table.delete(1)
    table.delete(1)
    expect(counts(table)).toEqual([[2], 1, 2, [2, 3, 4]])
    expect(counts(fork)).toEqual([[1, 2], 2, 3, [1, 2, 3, 4]])
    fork.delete(3)
    expect([fork.countOfWorkspace(1), table.countOfWorkspace(1)]).toEqual([2, 2])
    expect(counts(EndpointsTable.load(table.dump()))).toEqual(counts(table))
  })

  it('never reuses an id, also in a fork and from a dump', () => {
    const table = new EndpointsTable()
    table.put(endpoint(3))
    table.delete(3)
    expect([table.fork().nextId(), table.nextId()]).toEqual([4, 4])
    expect(EndpointsTable.load({ endpoints: [], lastId: 9 }).nextId()).toBe(10)
    expect(EndpointsTable.load({ endpoints: [endpoint(5)], lastId: 0 }).nextId()).toBe(6)
  })
})

describe('the deliveries table', () => {
  const delivery = (sequence: number, changes: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
    sequence,
    id: `dlv_AAAAAAAAAAAAAAAAAAAA${sequence.toString(36)}`,
    endpointId: 1,
    formId: 'formsurvey01',
    event: 'response.submitted',
    responseId: 1,
    body: Buffer.from('{"event":"x"}'),
    status: 'pending',
    attempts: [],
    nextAttemptAt: NOW,
    stopNote: null,
    note: null,
    createdAt: NOW,
    ...changes,
  })
  const finished = (sequence: number, changes: Partial<DeliveryRecord> = {}) =>
    delivery(sequence, { status: 'delivered', nextAttemptAt: null, ...changes })
  const DAYS_30 = 30 * 86_400_000

  it('[DLV-09] drops a finished delivery after 30 days, not at 30 days, and never a pending one', () => {
    const table = new DeliveriesTable()
    table.put(finished(1))
    table.put(delivery(2))
    const first = finished(1).id
    expect([table.get(first, NOW + DAYS_30)?.sequence, table.log(1, NOW + DAYS_30).length]).toEqual([1, 2])
    expect(table.log(1, NOW + DAYS_30 + 1).map(({ sequence }) => sequence)).toEqual([2])
    expect([table.get(first, NOW), table.get(delivery(2).id, NOW + 2 * DAYS_30)?.sequence]).toEqual([
      undefined,
      2,
    ])
    table.put(finished(3))
    expect(table.get(finished(3).id, NOW + DAYS_30 + 1)).toBeUndefined()
    expect(table.bySequence(3)).toBeUndefined()
  })

  it('finds a delivery by its whole id', () => {
    const table = new DeliveriesTable()
    table.put(delivery(1))
    for (const id of ['dlv_BBBBBBBBBBBBBBBBBBBB1', 'dlv_AAAAAAAAAAAAAAAAAAAA1 ', 'dlv_1', '1', ''])
      expect([id, table.get(id, NOW)]).toEqual([id, undefined])
    expect(table.get('dlv_AAAAAAAAAAAAAAAAAAAA1', NOW)?.sequence).toBe(1)
  })

  it('[DLV-06] yields due deliveries in order, after a key', () => {
    const table = new DeliveriesTable()
    table.put(delivery(3, { nextAttemptAt: NOW }))
    table.put(delivery(1, { nextAttemptAt: NOW + 5 }))
    table.put(delivery(2, { nextAttemptAt: NOW }))
    const after = (at: number, sequence: number) =>
      [...table.dueAfter({ at, sequence })].map(([key]) => key.sequence)
    expect([after(0, 0), after(NOW, 2), after(NOW, 3), after(NOW + 5, 1)]).toEqual([
      [2, 3, 1],
      [3, 1],
      [1],
      [],
    ])
    table.put(delivery(2, { nextAttemptAt: NOW + 9 }))
    expect([after(0, 0), table.pendingCount]).toEqual([[3, 1, 2], 3])
    table.put(finished(3))
    expect([after(0, 0), table.pendingCount]).toEqual([[1, 2], 2])
  })

  it('[DLV-07] keeps 250 finished deliveries per endpoint, checking at every 50th', () => {
    const table = new DeliveriesTable()
    table.put(finished(1, { endpointId: 2 }))
    for (let sequence = 2; sequence <= 350; sequence += 1) table.put(finished(sequence))
    const kept = () => table.dump().deliveries.map(({ sequence }) => sequence)
    expect([kept().length, kept().slice(0, 3)]).toEqual([300, [1, 52, 53]])
    table.put(finished(351))
    expect([kept().length, kept().slice(0, 3)]).toEqual([251, [1, 102, 103]])
    expect(table.log(1, NOW).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 50 }, (_, index) => 351 - index),
    )
  })

  it('[HOOK-03] removes the log of one endpoint alone', () => {
    const table = new DeliveriesTable()
    table.put(delivery(1))
    table.put(finished(2))
    table.put(delivery(3, { endpointId: 2 }))
    const fork = table.fork()
    table.deleteOfEndpoint(1)
    expect([table.log(1, NOW), table.log(2, NOW).length, table.pendingCount]).toEqual([[], 1, 1])
    expect([table.pendingOfResponse(1).length, table.pendingOfEndpoint(1)]).toEqual([1, []])
    expect([fork.log(1, NOW).length, fork.pendingCount, fork.pendingOfResponse(1).length]).toEqual([2, 2, 2])
  })

  it('continues its sequences in a fork and from a dump', () => {
    const table = new DeliveriesTable()
    table.put(delivery(6))
    expect([table.fork().nextSequence(), table.nextSequence()]).toEqual([7, 7])
    const { deliveries } = table.dump()
    expect(DeliveriesTable.load({ deliveries, lastSequence: 20 }).nextSequence()).toBe(21)
    const low = DeliveriesTable.load({ deliveries, lastSequence: 0 })
    expect([low.nextSequence(), low.pendingCount]).toEqual([7, 1])
    expect(Buffer.from(low.bySequence(6)?.body ?? []).toString()).toBe('{"event":"x"}')
  })
})

describe('the uploads table', () => {
  const upload = (id: string, changes: Partial<UploadRecord> = {}): UploadRecord => ({
    id,
    formId: 'formsurvey01',
    questionId: null,
    name: 'cv.pdf',
    size: 10,
    uploadedAt: NOW,
    responseId: null,
    ...changes,
  })

  it('[RESP-04] counts bytes through replacement, claims, deletions, forks and dumps', () => {
    const table = new UploadsTable()
    table.put(upload('a'))
    table.put(upload('a', { size: 30, responseId: 1 }))
    table.put(upload('b', { responseId: 1 }))
    table.put(upload('c', { responseId: 2 }))
    expect(table.totalBytes).toBe(50)
    const fork = table.fork()
    fork.deleteOfResponse(1)
    expect([fork.totalBytes, fork.ofResponse(1), fork.ofResponse(2).length]).toEqual([10, [], 1])
    expect([table.totalBytes, table.ofResponse(1).map(({ id }) => id)]).toEqual([50, ['a', 'b']])
    expect(UploadsTable.load(table.dump()).totalBytes).toBe(50)
  })

  it('drops unclaimed uploads after an hour, and never claimed ones', () => {
    const table = new UploadsTable()
    table.put(upload('a'))
    table.put(upload('b', { responseId: 1 }))
    table.expire(NOW + 3_599_999)
    expect(table.get('a')?.id).toBe('a')
    table.expire(NOW + 3_600_000)
    expect([table.get('a'), table.get('b')?.id, table.totalBytes]).toEqual([undefined, 'b', 10])
  })
})
