import type { FormResponse } from '@formwire/contract'
import { describe, expect, it } from 'vitest'
import { PageSize } from '../../src/pagination/page-walk.ts'
import { findGap } from '../../src/polling/backlog.ts'

const SINCE = '2026-11-21T09:30:00.000Z'

/** A list of one page. */
const listOf = (...instants: string[]) => {
  const data = instants.map((submitted_at, id) => ({ id, submitted_at }) as FormResponse)
  return async (_since: string | undefined, page: number) => ({
    data,
    meta: { page, per_page: 100, total: data.length },
  })
}

describe('the gap of a poll', () => {
  it.each([
    ['the same instant', SINCE],
    ['the same instant in another zone', '2026-11-21T10:30:00+01:00'],
    ['an earlier one', '2026-11-21T09:29:59.999999Z'],
  ])('is undefined if the oldest response is of %s', async (_name, oldest) => {
    expect(await findGap(SINCE, listOf('2026-11-21T12:00:00Z', oldest), new PageSize(100))).toBeUndefined()
  })

  it('is reported from one microsecond on', async () => {
    const oldest = '2026-11-21T09:30:00.000001Z'
    expect(await findGap(SINCE, listOf('2026-11-21T12:00:00Z', oldest), new PageSize(100))).toEqual({
      since: SINCE,
      oldest,
    })
  })

  it('ends at the oldest response of the last page', async () => {
    const instants = ['12:00', '11:00', '10:30', '10:00', '09:45'].map((time) => `2026-11-21T${time}:00Z`)
    const pages = (perPage: number) => async (_since: string | undefined, page: number) => ({
      data: instants
        .slice((page - 1) * perPage, page * perPage)
        .map((submitted_at, id) => ({ id, submitted_at }) as FormResponse),
      meta: { page, per_page: perPage, total: instants.length },
    })
    const gap = { since: SINCE, oldest: '2026-11-21T09:45:00Z' }
    for (const perPage of [1, 2, 3, 5])
      expect(await findGap(SINCE, pages(perPage), new PageSize(100))).toEqual(gap)
  })

  it('has no end if no responses are left', async () => {
    expect(await findGap(SINCE, listOf(), new PageSize(100))).toEqual({ since: SINCE, oldest: null })
  })
})
