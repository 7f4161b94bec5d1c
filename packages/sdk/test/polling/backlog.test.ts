import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { readBlock } from '../../src/polling/backlog.ts'
import { Cursor } from '../../src/polling/cursor.ts'

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
  const block = await readBlock(fetch, new Cursor(0), { since: undefined, startPage: 1, span: 25 })
  return block.rows.map(({ response }) => response.id)
}

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
})
