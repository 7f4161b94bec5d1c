import { expect, it } from 'vitest'
import type { StoreSuite } from './suite.ts'

/** What happens in one transaction. */
export function describeTransactions(suite: StoreSuite): void {
  it('refuses to work in a transaction that has ended', async () => {
    const form = suite.service.form()
    suite.service.add(form, 1)
    await suite.database.query('CREATE TABLE outbox (id INTEGER)')
    const late: (() => Promise<unknown>)[] = []
    await suite
      .sync(form, {
        onResponse: ({ id }, transaction) => {
          const sql = `INSERT INTO outbox (id) VALUES (${id})`
          late.push(async () =>
            'query' in transaction ? await transaction.query(sql) : transaction.run(sql),
          )
        },
      })
      .once()
    await expect(late[0]?.()).rejects.toThrow('The transaction has ended: await what onResponse does in it.')
    expect(await suite.database.query('SELECT id FROM outbox')).toEqual([])
  })

  it('rolls the rows back when onResponse throws', async () => {
    const form = suite.service.form()
    suite.service.add(form, 3)
    const failing = suite.sync(form, {
      onResponse: ({ id }) => {
        if (id === 2) throw new Error('no')
      },
    })
    await expect(failing.once()).rejects.toThrow('no')
    expect(await suite.live(form)).toEqual([])
    await suite.sync(form).once()
    expect((await suite.live(form)).length).toBe(3)
  })

  it('waits for a lock of another program', async () => {
    const form = suite.service.form()
    suite.service.add(form, 2)
    await suite.sync(form).once()
    suite.service.add(form, 1)
    const other = suite.database.store()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holder = other.transaction(form, async (session) => {
      await session.query("UPDATE formwire_forms SET title = 'held'")
      await held
    })
    const run = suite.sync(form).once()
    await new Promise((resolve) => setTimeout(resolve, 60))
    release()
    await holder
    expect(await run).toMatchObject({ inserted: 1 })
  })
}
