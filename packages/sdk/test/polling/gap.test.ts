import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { PageSize } from '../../src/pagination/page-walk.ts'
import { findGap } from '../../src/polling/backlog.ts'

const SINCE = '2026-11-21T09:30:00.000Z'

/** A list in pages, newest first. */
const listOf = (perPage: number, ...instants: string[]) => {
  const all = instants.map((submitted_at, id) => ({ id, submitted_at }) as FormResponse)
  return async (_since: string | undefined, page: number) => ({
    data: all.slice((page - 1) * perPage, page * perPage),
    meta: { page, per_page: perPage, total: all.length },
  })
}

describe('the gap of a poll', () => {
  it.each<[string, string[], object | undefined]>([
    ['the oldest response is of the same instant', [SINCE], undefined],
    ['it is of the same instant in another zone', ['2026-11-21T10:30:00+01:00'], undefined],
    ['it is earlier', ['2026-11-21T09:29:59.999999Z'], undefined],
    [
      'it is a microsecond later',
      ['2026-11-21T09:30:00.000001Z'],
      { since: SINCE, oldest: '2026-11-21T09:30:00.000001Z' },
    ],
    [
      'it is on the last page',
      ['2026-11-21T11:00:00Z', '2026-11-21T10:30:00Z', '2026-11-21T10:00:00Z', '2026-11-21T09:45:00Z'],
      { since: SINCE, oldest: '2026-11-21T09:45:00Z' },
    ],
  ])('is found in pages of any size if %s', async (_name, older, expected) => {
    for (const perPage of [1, 2, 3, 5]) {
      const pages = listOf(perPage, '2026-11-21T12:00:00Z', ...older)
      expect(await findGap(SINCE, pages, new PageSize(100))).toEqual(expected)
    }
  })

  it('has no end if no responses are left', async () => {
    expect(await findGap(SINCE, listOf(100), new PageSize(100))).toEqual({ since: SINCE, oldest: null })
  })
})
