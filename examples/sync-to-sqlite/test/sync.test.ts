import { join } from 'node:path'
import { startFormwire } from '@formwire/reference-server/testing'
import { Formwire } from '@formwire/sdk'
import { sqliteStore } from '@formwire/sync/sqlite'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { syncAndReport } from '../src/sync.ts'

it('copies the responses, counts each day once, and reports with SQL', async () => {
  await using kit = await startFormwire()
  const { app } = kit.server
  const form = app.forms.create({ title: 'Guests', questions: [{ id: 'nps', type: 'nps', title: 'Score' }] })
  const ids = [10, 8, 6].map(
    (value, index) =>
      app.responses.create(form.id, {
        submitted_at: `2026-11-2${index >> 1}T10:00:00Z`,
        answers: [{ question_id: 'nps', value }],
      }).id,
  )
  const path = join(temporaryDirectory(), 'responses.db')
  const formwire = new Formwire(kit.clientOptions)
  expect(await syncAndReport(formwire, path, form.id)).toEqual({
    inserted: 3,
    deleted: 0,
    scores: [{ title: 'Guests', responses: 3, nps: 8 }],
  })
  app.responses.delete(form.id, ids[2] as number)
  expect(await syncAndReport(formwire, path, form.id)).toEqual({
    inserted: 0,
    deleted: 1,
    scores: [{ title: 'Guests', responses: 2, nps: 9 }],
  })
  const store = sqliteStore(path)
  expect(await store.read('SELECT * FROM responses_by_day ORDER BY day')).toEqual([
    { day: '2026-11-20', responses: 2 },
    { day: '2026-11-21', responses: 1 },
  ])
  await store.close()
})
