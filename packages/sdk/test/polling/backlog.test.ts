import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { PageSize } from '../../src/pagination/page-walk.ts'
import { pagesOf, readBlock } from '../../src/polling/backlog.ts'
import { Cursor } from '../../src/polling/cursor.ts'
import { filled, setUp } from '../support/poll.ts'

type Row = [id: number, second: number]

/** Pages of two as a service gives them at the time of each request. */
function pages(...rows: Row[][]) {
  return async (_since: string | undefined, page: number) => ({
    data: (rows[page - 1] ?? []).map(
      ([id, second]) => ({ id, submitted_at: `2026-11-21T09:30:0${second}Z` }) as FormResponse,
    ),
    meta: { page, per_page: 2, total: rows.flat().length },
  })
}

const idsOf = async (fetch: ReturnType<typeof pages>): Promise<number[]> => {
  const query = { since: undefined, start: 0, span: 25 }
  const block = await readBlock(fetch, new Cursor(0), query, new PageSize(2))
  return block.rows.map(({ response }) => response.id)
}

describe('a list', () => {
  it.each([
    [0, 100, 1],
    [1, 100, 1],
    [100, 100, 1],
    [101, 100, 2],
  ])('of %i responses has with %i a page %i pages', (total, per_page, pages) => {
    expect(pagesOf({ data: [], meta: { page: 1, per_page, total } })).toBe(pages)
  })
})

describe('a block of the backlog', () => {
  it('[POLL-02] leaves rows newer than its first page to the next block, since rows in between may be missing', async () => {
    const fetch = pages(
      [
        [4, 4],
        [3, 3],
      ],
      // Submitted after the first page was read.
      [
        [9, 5],
        [2, 2],
      ],
      [[1, 1]],
    )
    expect(await idsOf(fetch)).toEqual([1, 2, 3, 4])
  })

  it('[POLL-02] includes ties with the newest row of its first page from later pages', async () => {
    const fetch = pages(
      [
        [4, 4],
        [3, 4],
      ],
      [
        [2, 4],
        [1, 1],
      ],
    )
    expect(await idsOf(fetch)).toEqual([1, 2, 3, 4])
  })

  it('ends at the newest row of its first page in any order of ties', async () => {
    const fetch = pages(
      [
        [3, 3],
        [4, 4],
      ],
      [[1, 1]],
    )
    expect(await idsOf(fetch)).toEqual([1, 3, 4])
  })

  describe('of a list that is longer than expected', () => {
    /** One response a page, so many pages. */
    const list = (count: number) => async (_since: string | undefined, page: number) => ({
      data: page > count ? [] : [{ id: count - page, submitted_at: '2026-11-21T09:30:00Z' } as FormResponse],
      meta: { page, per_page: 1, total: count },
    })
    const read = async (count: number, from: number) => {
      const query = { since: undefined, start: from, span: 2 }
      const { rows, start, total } = await readBlock(list(count), new Cursor(0), query, new PageSize(1))
      return { ids: rows.map(({ response }) => response.id), start, total }
    }

    it.each([
      ['everything if it fits', 2, 0, { ids: [0, 1], start: 0, total: 2 }],
      ['the oldest pages otherwise', 3, 0, { ids: [0, 1], start: 1, total: 3 }],
      ['twice as long after the first block', 5, 1, { ids: [0, 1, 2, 3], start: 1, total: 5 }],
      ['not longer than that after the first block', 6, 1, { ids: [0, 1], start: 4, total: 6 }],
      ['the oldest pages of a list that has become shorter', 3, 4, { ids: [0, 1], start: 1, total: 3 }],
      ['nothing of a list that has become empty', 0, 4, { ids: [], start: 0, total: 0 }],
    ])('is %s', async (_what, count, from, expected) => {
      expect(await read(count, from)).toEqual(expected)
    })
  })
})

describe('a backlog of several blocks', () => {
  it.each([0, 5_000])(
    '[POLL-02] is read oldest first, each page about once, with a lookback of %i ms',
    async (lookbackMs) => {
      const model = filled(80)
      const ids = await setUp(model).once({ per_page: 1, lookbackMs })
      expect(ids).toEqual(Array.from({ length: 80 }, (_, index) => index + 1))
      expect(model.requests).toBeLessThanOrEqual(95)
    },
  )
})
