import { expect, it } from 'vitest'
import type { StoreSuite } from './suite.ts'

/** Deletions are found by counts. */
export function describeDeletions(suite: StoreSuite): void {
  it('marks every row when all responses of a form are deleted', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 300)
    const one = suite.sync(form, { per_page: 20 })
    await one.once()
    for (const id of ids) suite.service.server.app.responses.delete(form, id)
    expect(await one.once()).toMatchObject({ deleted: 300 })
    expect(await suite.live(form)).toEqual([])
  })

  it('keeps deleted rows live without deletions, and still adds late responses', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 90)
    const one = suite.sync(form, { deletions: false })
    await one.once()
    suite.service.server.app.responses.delete(form, ids[3] as number)
    expect(await one.once()).toMatchObject({ deleted: 0 })
    expect(await one.once({ verify: true })).toMatchObject({ inserted: 0, updated: 0, deleted: 0 })
    suite.service.add(form, 2, () => '2026-10-22T12:00:00.500Z')
    expect(await one.once()).toMatchObject({ inserted: 2, deleted: 0 })
    expect(await suite.sync(form).once({ verify: true })).toMatchObject({ deleted: 1 })
  })

  it('erases email, score, answers and meta with deleted: erase, also in rows that were marked before, which it dates', async () => {
    const form = suite.service.form()
    const [first, second] = suite.service.add(form, 3)
    await suite.sync(form).once()
    suite.service.server.app.responses.delete(form, first as number)
    await suite.sync(form).once()
    const marked =
      'SELECT id, submitted_at, answers, meta FROM formwire_responses WHERE deleted_at IS NOT NULL ORDER BY id'
    expect((await suite.query(marked))[0]?.answers).not.toBeNull()
    suite.service.server.app.responses.delete(form, second as number)
    const { clock } = suite.service.server
    await clock.advance('1h')
    await suite.sync(form, { deleted: 'erase' }).once()
    const rows = await suite.query(marked)
    expect(rows.map(({ answers, meta }) => [answers, meta])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(rows[0]?.submitted_at).toBe('2026-10-22T12:00:00.000Z')
    // So that copies by synced_at are erased too.
    expect(
      await suite.query(
        'SELECT synced_at FROM formwire_responses WHERE deleted_at IS NOT NULL AND deleted_at < synced_at',
      ),
    ).toEqual([{ synced_at: new Date(clock.now()).toISOString() }])
  })

  it('finds with verify a back-filled response and a deletion that cancel out', async () => {
    const form = suite.service.form()
    const ids = suite.service.add(form, 1300)
    const one = suite.sync(form)
    await one.once()
    suite.service.server.app.responses.delete(form, ids[100] as number)
    suite.service.add(form, 1, () => '2026-10-22T12:00:01.500Z')
    expect(await one.once()).toMatchObject({ inserted: 0, deleted: 0 })
    expect(await one.once({ verify: true })).toMatchObject({ inserted: 1, deleted: 1 })
    expect(await suite.live(form)).toEqual(suite.service.submitted(form))
  })
}
