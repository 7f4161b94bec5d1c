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
})
