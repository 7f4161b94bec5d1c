import { describe, expect, it } from 'vitest'
import { ServerError, ValidationError } from '../../src/index.ts'
import { PageSize, type WalkedPage, walkPages } from '../../src/pagination/page-walk.ts'

interface Row {
  id: number
}

/** Returns a page of two rows, newest first. */
function pageOf(ids: readonly number[], page: number): WalkedPage<Row> {
  const data = ids.slice((page - 1) * 2, page * 2).map((id) => ({ id }))
  return { data, meta: { page, per_page: 2, total: ids.length } }
}

/** Walks a list that has other rows at each request, the last ones from then on. Returns the ids of each page and the requested pages. */
async function walk(...versions: number[][]): Promise<{ pages: number[][]; requested: number[] }> {
  const requested: number[] = []
  const pages: number[][] = []
  const fetch = async (page: number): Promise<WalkedPage<Row>> => {
    requested.push(page)
    return pageOf(versions[Math.min(requested.length, versions.length) - 1] as number[], page)
  }
  for await (const { data } of walkPages(fetch, await fetch(1))) pages.push(data.map(({ id }) => id))
  return { pages, requested }
}

const facts = { method: 'GET', path: '/forms', attempts: 1, headers: new Headers(), envelope: true }

function refusal(details?: { field: string }): ValidationError {
  return new ValidationError({ ...facts, status: 422, code: 'validation_failed', reason: 'No.', details })
}

describe('walking the pages of a list', () => {
  it('[ENV-06] reads page 1 again, once, after all rows before the position were deleted', async () => {
    const { pages, requested } = await walk([8, 7, 6, 5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1], [4, 3, 2, 1])
    expect(pages).toEqual([
      [8, 7],
      [4, 3],
      [2, 1],
    ])
    expect(requested).toEqual([1, 2, 1, 2])
  })

  it('[ENV-06] takes a page that equals the one before for rows that insertions have moved', async () => {
    const { pages, requested } = await walk([4, 3, 2, 1], [6, 5, 4, 3, 2, 1])
    expect(pages).toEqual([
      [4, 3],
      [4, 3],
      [2, 1],
    ])
    expect(requested).toEqual([1, 2, 3])
  })

  it('[ENV-06] ends at the first page if a list that rejects pages past its end was emptied', async () => {
    const requested: number[] = []
    const fetch = async (page: number): Promise<WalkedPage<Row>> => {
      requested.push(page)
      if (page > 1) throw refusal({ field: 'page' })
      return pageOf([], page)
    }
    const pages: number[] = []
    for await (const { data } of walkPages(fetch, pageOf([4, 3, 2], 1))) pages.push(data.length)
    expect(pages).toEqual([2, 0])
    expect(requested).toEqual([2, 1])
  })
})

describe('a page past the end', () => {
  const rejecting = (error: Error, from = 2) => {
    const requested: number[] = []
    const fetch = async (page: number): Promise<WalkedPage<Row>> => {
      requested.push(page)
      if (page >= from) throw error
      return pageOf([3, 2, 1], page)
    }
    return { requested, fetch }
  }

  it.each([
    ['names "page"', refusal({ field: 'page' })],
    ['names no field', refusal()],
  ])('[ENV-06] is empty if the rejection %s', async (_name, error) => {
    const { fetch } = rejecting(error)
    expect(await new PageSize(2).readOrPastEnd(fetch, 8)).toEqual({
      data: [],
      meta: { page: 5, per_page: 2, total: 3 },
    })
  })

  it.each([
    ['of another field', refusal({ field: 'since' })],
    [
      'that is no validation error',
      new ServerError({ ...facts, status: 500, code: 'server_error', reason: 'Down.' }),
    ],
  ])('throws an error %s, without another request', async (_name, error) => {
    const { fetch, requested } = rejecting(error)
    await expect(new PageSize(2).readOrPastEnd(fetch, 8)).rejects.toBe(error)
    expect(requested).toEqual([5])
  })

  it('throws any rejection of page 1', async () => {
    const error = refusal({ field: 'page' })
    const { fetch, requested } = rejecting(error, 1)
    await expect(new PageSize(2).readOrPastEnd(fetch, 0)).rejects.toBe(error)
    expect(requested).toEqual([1])
  })
})
