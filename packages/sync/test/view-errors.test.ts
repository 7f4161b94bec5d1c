import { expect, it } from 'vitest'
import type { SyncStore } from '../src/database/driver.ts'
import { postgresDialect } from '../src/postgres/dialect.ts'
import { translated } from '../src/postgres/errors.ts'
import { Views } from '../src/store/views.ts'

/** Writes an answer to a new question while the change of the view fails with a code of PostgreSQL. */
async function write(code: string): Promise<string> {
  const query = async (sql: string): Promise<object[]> => {
    if (sql === postgresDialect.findViewColumns) return [{ name: 'submitted_at', kind: 'timestamp' }]
    if (sql.includes('VIEW "')) throw translated(Object.assign(new Error('refused'), { code }))
    return [{ name: 'nps', question_id: 'nps', kind: 'number', typed: true, by_workspace: true }]
  }
  const store = {
    dialect: postgresDialect,
    transaction: (_lock: string, work: (session: object) => Promise<unknown>) => work({ query }),
  } as unknown as SyncStore
  return await new Views(postgresDialect, '1').during(store, 'abcdefghijkl', Date.now, async () => 'written')
}

it.each(['42501', '55P03', '2BP01', '42P16', '25006', '57P01'])(
  'leaves a view that %s keeps it from changing',
  async (code) => {
    await expect(write(code)).resolves.toBe('written')
  },
)

it.each(['28000', '28P01', '3D000', '3F000'])(
  'fails with %s, which concerns the whole database, instead of writing without the view',
  async (code) => {
    await expect(write(code)).rejects.toMatchObject({ name: 'StoreError', code: 'refused' })
  },
)
