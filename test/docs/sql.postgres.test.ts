/** Runs the statements of docs/how-to/sql.md. */

import { expect, it } from 'vitest'
import { createSync } from '../../packages/sync/src/index.ts'
import { describeOnPostgres } from '../../packages/sync/test/support/describe-on-postgres.ts'
import { pg } from '../../packages/sync/test/support/postgres-server.ts'
import { startService } from '../../packages/sync/test/support/service.ts'
import {
  postgresDatabase,
  sqliteDatabase,
  type TestDatabase,
} from '../../packages/sync/test/support/stores.ts'
import { blocksOf } from '../../scripts/docs/markdown.ts'
import { read } from '../../scripts/project/project.ts'

const page = read('docs/how-to/sql.md')

async function answersOf(database: TestDatabase): Promise<unknown[]> {
  const service = await startService()
  const form = service.form()
  const [first] = service.add(
    form,
    12,
    (index) => `2026-11-${String(8 + index).padStart(2, '0')}T23:30:00.000Z`,
  )
  const store = database.store()
  const clock = { now: () => service.server.clock.now(), setTimer: () => () => undefined }
  const sync = createSync({ formwire: service.client(), store, forms: [form], clock })
  await sync.once()
  service.server.app.responses.delete(form, first as number)
  await sync.once()
  await service.server.close()
  const other = database.dialect.name === 'postgres' ? "'weekday 0'" : 'date_trunc'
  const statements = blocksOf(page)
    .filter(({ language, code }) => language === 'sql' && !code.includes(other))
    .map(({ code }) =>
      code
        .replaceAll('form_guestvoice01', `form_${form.toLowerCase()}`)
        .replaceAll('guestvoice01', form)
        .replaceAll('multiple_choice', 'colour'),
    )
  const results: unknown[] = []
  for (const statement of statements) results.push(await database.query(statement))
  await database.close()
  return JSON.parse(JSON.stringify(results), (key, value) => {
    if (key === 'week') return new Date(value).toISOString().slice(0, 10)
    return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  })
}

// Eleven responses from Monday 9 November on, with the ratings 1 to 10 and 0. Every second one has chosen both colours.
const EXPECTED = [
  [
    { week: '2026-11-09', responses: 7, mean: 4 },
    { week: '2026-11-16', responses: 4, mean: 6.75 },
  ],
  [{ score: -45.5 }],
  [
    { option_id: 'r', label: 'Red', chosen: 11 },
    { option_id: 'b', label: 'Blue', chosen: 6 },
  ],
  [
    { option_id: 'b', mean: 4.17 },
    { option_id: 'r', mean: 5 },
  ],
  [{ id: 1, submitted_at: '2026-11-08T23:30:00.000Z', deleted_at: '2026-11-21T12:00:00.000Z' }],
]

it('answers five questions in SQLite', async () => {
  expect(await answersOf(sqliteDatabase())).toEqual(EXPECTED)
})

describeOnPostgres((serverUrl) => {
  it('answers five questions in PostgreSQL', async () => {
    // A date without a time zone.
    pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
    expect(await answersOf(await postgresDatabase(serverUrl()))).toEqual(EXPECTED)
  })
})
