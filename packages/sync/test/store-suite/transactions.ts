import { expect, it } from 'vitest'
import type { StoreSuite } from './suite.ts'

/** What happens in one transaction. */
export function describeTransactions(suite: StoreSuite): void {
  it('refuses to work in a transaction that has ended', async () => {
    const form = suite.service.filled(1)
    await suite.query('CREATE TABLE outbox (id INTEGER)')
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
    expect(await suite.query('SELECT id FROM outbox')).toEqual([])
  })

  it('waits for statements that onResponse did not await, and rolls the rows back if one failed', async () => {
    const form = suite.service.filled(1)
    await suite.query('CREATE TABLE outbox (id INTEGER)')
    const once = (sql: string): Promise<unknown> =>
      suite
        .sync(form, {
          onResponse(_response, transaction) {
            if ('query' in transaction) void transaction.query(sql)
            else transaction.run(sql)
          },
        })
        .once()
    await expect(once('INSERT INTO nowhere (id) VALUES (1)')).rejects.toThrow('nowhere')
    expect(await suite.live(form)).toEqual([])
    await once('INSERT INTO outbox (id) VALUES (1)')
    expect((await suite.query('SELECT id FROM outbox')).length).toBe(1)
  })

  it('rolls the rows back when onResponse throws', async () => {
    const form = suite.service.filled(3)
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
    const form = suite.service.filled(2)
    await suite.sync(form).once()
    suite.service.add(form, 1)
    const other = suite.database.store()
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let holder: Promise<void> | undefined
    await new Promise<void>((resolve) => {
      holder = other.transaction(form, async (session) => {
        await session.query("UPDATE formwire_forms SET title = 'held'")
        resolve()
        await released
      })
    })
    const run = suite.sync(form).once()
    await suite.database.blocked().finally(release)
    await holder
    expect(await run).toMatchObject({ inserted: 1 })
  })

  it('no longer waits for a lock of another program once it is closed', async () => {
    const form = suite.service.form()
    await suite.sync(form).once()
    const other = suite.database.store()
    const waiting = suite.database.store()
    await waiting.open()
    await other.transaction(form, async (session) => {
      await session.query("UPDATE formwire_forms SET title = 'held'")
      const write = "UPDATE formwire_forms SET title = 'mine'"
      const ended = waiting
        .transaction('another', (mine) => mine.query(write))
        .catch(({ code, message }) => [code, message])
      await suite.database.blocked()
      await waiting.close()
      expect(await ended).toEqual(['closed', 'The store was closed while another program held a lock.'])
    })
  })
}
