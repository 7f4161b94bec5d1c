import { expect, it } from 'vitest'
import { createShared, type SyncStore } from '../src/database/driver.ts'
import { postgresDialect } from '../src/postgres/dialect.ts'
import { translated } from '../src/postgres/errors.ts'
import { Tables } from '../src/store/tables.ts'
import { writeWithView } from '../src/store/views.ts'

/** Writes an answer to a new question while the change of the views fails with a code of PostgreSQL. @param fails part of what fails */
async function write(code: string, fails = 'VIEW "', statements: string[] = []): Promise<string> {
  const query = async (sql: string): Promise<object[]> => {
    if (sql === postgresDialect.listColumns) return [{ name: 'submitted_at' }]
    if (sql === postgresDialect.findViewOptions) return []
    statements.push(sql)
    if (sql.includes(fails)) throw translated(Object.assign(new Error('refused'), { code }))
    return [{ name: 'nps', question_id: 'nps', kind: 'number' }]
  }
  const store = {
    dialect: postgresDialect,
    shared: createShared(),
    transaction: (_lock: string, work: (session: object) => Promise<unknown>) => work({ query }),
  } as unknown as SyncStore
  const tables = new Tables({
    ...{ store, workspaceId: '1', deleted: 'mark', now: Date.now },
    ...{ onFirst: undefined, onViewFull: undefined },
  })
  return await writeWithView(tables.form('abcdefghijkl').scope, async () => 'written')
}

it.each(['42501', '55P03', '42809', '42P16', '25006', '57P01'])(
  'leaves a view that %s keeps it from changing',
  async (code) => {
    await expect(write(code)).resolves.toBe('written')
  },
)

it.each([
  ['VIEW "nps_answers"', 'VIEW "nps"'],
  ['VIEW "nps"', 'VIEW "nps_answers"'],
])('changes one view of a form if another program has replaced the other, %s', async (fails, other) => {
  const statements: string[] = []
  await write('42P16', fails, statements)
  expect(statements.filter((sql) => sql.includes(other))).toHaveLength(1)
})

it.each(['28000', '28P01', '3D000', '3F000'])(
  'fails with %s, which concerns the whole database, instead of writing without the view',
  async (code) => {
    await expect(write(code)).rejects.toMatchObject({ name: 'StoreError', code: 'refused' })
  },
)
