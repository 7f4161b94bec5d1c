import { expect, it } from 'vitest'
import type { SyncOptions } from '../../src/index.ts'
import { clockOf } from '../support/service.ts'
import type { StoreSuite } from './suite.ts'

const PER_PAGE = 8
/** Responses of a slice: 25 pages. */
const SLICE = 25 * PER_PAGE

/** The full read of a form that is due is stored with the form, one slice at a time. */
export function describeFullReads(suite: StoreSuite): void {
  /** Follows for some rounds, as a process that ends then. Returns the responses that its requests asked for. */
  async function follow(
    form: string,
    rounds: number,
    options: Partial<SyncOptions<unknown>> = {},
  ): Promise<void> {
    const stop = new AbortController()
    let left = rounds
    const clock = clockOf(suite.service, () => {
      left -= 1
      if (left === 0) stop.abort()
    })
    await suite.sync(form, { per_page: PER_PAGE, signal: stop.signal, clock, ...options }).run()
  }

  const state = async (): Promise<{ to: string | undefined; fullAt: unknown }> => {
    const [row] = await suite.query('SELECT slice, full_at FROM formwire_sync_state')
    return {
      to: typeof row?.slice === 'string' ? JSON.parse(row.slice).to : undefined,
      fullAt: row?.full_at,
    }
  }

  /** A form that was last read completely more than a week ago, unless said otherwise, and changed since in a way that counts do not show. */
  async function dueForm(count: number, age = '8d'): Promise<string> {
    const form = suite.service.form()
    const ids = suite.service.add(form, count)
    await suite.sync(form).once()
    suite.service.server.app.responses.delete(form, ids[count >> 2] as number)
    suite.service.add(form, 1, () => '2026-10-22T12:00:01.500Z')
    await suite.service.server.clock.advance(age)
    return form
  }

  const DUE = '2026-11-29T12:00:00.000Z'

  it('is due a week after the last one, or after fullEveryMs', async () => {
    const form = await dueForm(2 * SLICE, '6d')
    const before = await state()
    await follow(form, 1)
    await suite.service.server.clock.advance('1d')
    await follow(form, 1, { fullEveryMs: 7 * 86_400_000 + 1 })
    expect(await state()).toEqual(before)
    await follow(form, 1)
    expect(await state()).not.toEqual(before)
  })

  it('ends although no process lives for more than two slices of it', async () => {
    const count = 5 * SLICE
    const form = await dueForm(count)
    const positions: string[] = []
    for (;;) {
      const before = suite.service.requests
      await follow(form, 2)
      // Two slices of 25 pages, and what confirms a deletion: what was read before is not read again.
      expect(suite.service.requests - before).toBeLessThanOrEqual(75)
      const { to, fullAt } = await state()
      if (to === undefined) {
        expect(fullAt).toBe(DUE)
        break
      }
      positions.push(to)
    }
    expect(positions).toEqual(positions.toSorted().reverse())
    expect(positions.length).toBe(Math.floor(count / SLICE / 2))
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })

  it('continues in once(), which reads the rest', async () => {
    const form = await dueForm(3 * SLICE)
    await follow(form, 1)
    expect((await state()).to).toBeDefined()
    const { requests } = await suite.sync(form, { per_page: PER_PAGE }).once()
    expect(requests).toBeLessThanOrEqual(60)
    expect(await state()).toEqual({ to: undefined, fullAt: DUE })
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
    expect((await suite.sync(form).once()).requests).toBe(3)
  })

  it.each([
    ['one slice', 1],
    ['two slices', 2],
    ['the rest', 4],
  ])(
    'is not moved back by a process that was slower than another, which has read %s meanwhile',
    async (_name, rounds) => {
      const form = await dueForm(4 * SLICE)
      let reads = 0
      let reached: unknown
      suite.service.before = async ({ url }) => {
        if (!url.includes('/responses?')) return
        reads += 1
        if (reads !== 5) return
        await follow(form, rounds)
        reached = await state()
      }
      await follow(form, 1)
      expect(await state()).toEqual(reached)
      suite.service.before = undefined
      await follow(form, 4)
      expect(await state()).toEqual({ to: undefined, fullAt: DUE })
      expect(await suite.live(form)).toEqual(suite.service.submitted(form))
    },
  )

  it('does not move back when everything was last read', async () => {
    const form = await dueForm(2 * SLICE)
    await follow(form, 1)
    await suite.service.server.clock.advance('1d')
    let reads = 0
    suite.service.before = async ({ url }) => {
      reads += url.includes('/responses?') ? 1 : 0
      if (reads !== 5) return
      reads += 1
      await suite.sync(form).once({ verify: true })
    }
    await follow(form, 1)
    expect(await state()).toEqual({ to: undefined, fullAt: '2026-11-30T12:00:00.000Z' })
  })
}
