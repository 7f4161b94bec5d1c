import { describe, expect, it } from 'vitest'
import { type ResponseFacts, writeResponse } from '../../src/domain/response.ts'
import { ResponsesTable } from '../../src/store/responses.ts'
import { DEFAULT_UNSPECIFIED } from '../../src/unspecified.ts'

const NOW = 1_700_000_000_000

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
    expect(new ResponsesTable().load({ ...table.dump(), lastId: 40 }, style).nextId()).toBe(41)
    table.put(response({ id: 7, sequence: 12 }))
    const low = new ResponsesTable().load({ ...table.dump(), lastId: 0 }, style)
    expect([low.nextId(), low.nextSequence()]).toEqual([8, 13])
  })

  it('[RESP-01] lists the later written response of an instant first, also from a dump', () => {
    const table = new ResponsesTable()
    table.put(draft('one', { id: 1, sequence: 1 }))
    table.put(draft('two', { id: 2, sequence: 2 }))
    table.put(draft('one', { id: 1, sequence: 3 }))
    expect(listed(table, 'in_progress')).toEqual([1, 2])
    expect(listed(new ResponsesTable().load(table.dump(), style), 'in_progress')).toEqual([1, 2])
  })

  it('[RESP-01] orders responses of an instant in a dump without sequences by id', () => {
    const table = new ResponsesTable()
    table.put(response({ id: 1, sequence: 9 }))
    table.put(response({ id: 2, sequence: 3 }))
    const { responses, lastId } = table.dump()
    const old = responses.map(({ sequence: _, ...facts }) => facts as ResponseFacts)
    expect(listed(new ResponsesTable().load({ responses: old, lastId }, style))).toEqual([2, 1])
  })

  it('[RESP-02] counts and pages from `since` on, inclusive', () => {
    const table = new ResponsesTable()
    for (let id = 1; id <= 4; id += 1) table.put(response({ id, sequence: id, at: NOW + id }))
    const page = table.list('formsurvey01', 'submitted', NOW + 2, 1, 5)
    expect([page.total, page.items.map(({ id }) => id)]).toEqual([3, [3, 2]])
  })

  it('[RESP-01] lists a page of one form and status', () => {
    const table = new ResponsesTable()
    let sequence = 0
    for (const formId of ['a00000000001', 'formsurvey01', 'z00000000001'])
      for (let at = 1; at <= 3; at += 1) {
        sequence += 1
        table.put(response({ id: sequence, formId, sequence, at: NOW + at }))
      }
    table.put(draft('one', { id: 10, sequence: 10 }))
    const page = (from: number, count: number) => {
      const { items, total } = table.list('formsurvey01', 'submitted', undefined, from, count)
      expect(total).toBe(3)
      return items.map(({ id }) => id)
    }
    expect([page(0, 2), page(2, 2), page(3, 2), page(0, 9)]).toEqual([[6, 5], [4], [], [6, 5, 4]])
    expect(Array.from(table.all(), ({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('[RESP-01] lists both of two responses with the same position in a dump', () => {
    const table = new ResponsesTable()
    table.put(response({ id: 1 }))
    table.put(response({ id: 2 }))
    expect(listed(table)).toEqual([2, 1])
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
    const loaded = new ResponsesTable().load({ responses: [draftFacts()], lastId: 1 }, style)
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
