import { expect, it } from 'vitest'
import type { Session } from '../src/database/driver.ts'
import { postgresDialect } from '../src/postgres/dialect.ts'
import { translated } from '../src/postgres/errors.ts'
import { Views } from '../src/store/views.ts'

/** Writes an answer to a new question while the change of the view fails with a code of PostgreSQL. */
async function write(code: string): Promise<void> {
  const query = async (sql: string): Promise<object[]> => {
    if (sql.includes('VIEW')) throw translated(Object.assign(new Error('refused'), { code }))
    return [{ name: 'view', typed: true }]
  }
  const answer = { question_id: 'nps', type: 'nps', value: 9 }
  await new Views(postgresDialect).update({ query } as unknown as Session, 'abcdefghijkl', [
    [answer as never],
  ])
}

it.each(['42501', '55P03', '2BP01'])('leaves a view that %s keeps it from changing', async (code) => {
  await expect(write(code)).resolves.toBeUndefined()
})

it.each(['28000', '28P01', '3D000', '3F000'])(
  'fails with %s, which concerns the whole database, instead of writing without the view',
  async (code) => {
    await expect(write(code)).rejects.toMatchObject({ name: 'StoreError', code: 'refused' })
  },
)
