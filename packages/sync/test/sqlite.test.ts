import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../test/support/temporary.ts'
import { loadDriver } from '../src/sqlite/drivers.ts'
import { sqliteStore } from '../src/sqlite/index.ts'
import { describeSame, describeStore } from './store-suite/index.ts'
import { retriesLock, sqliteDatabase } from './support/stores.ts'

describe('a SQLite file', () => {
  const pathOf = (name: string): string => join(temporaryDirectory(), name)

  it.each([
    ['a new file', false, 'wal', 1],
    ['a file that was here before', true, 'delete', 2],
  ])('%s survives a power cut: journal and durability fit together', async (_name, exists, mode, level) => {
    const path = pathOf('test.db')
    if (exists) {
      const mine = (await loadDriver())(path)
      mine.exec('CREATE TABLE mine (id INTEGER)')
      mine.close()
    }
    const store = sqliteStore(path)
    expect(await store.read('PRAGMA journal_mode')).toEqual([{ journal_mode: mode }])
    expect(await store.read('PRAGMA synchronous')).toEqual([{ synchronous: level }])
    await store.close()
  })

  it('is refused with another encoding than UTF-8, which is named', async () => {
    const path = pathOf('test.db')
    const mine = (await loadDriver())(path)
    mine.exec("PRAGMA encoding = 'UTF-16le'")
    mine.exec('CREATE TABLE mine (id INTEGER)')
    mine.close()
    const store = sqliteStore(path)
    await expect(store.open()).rejects.toMatchObject({
      code: 'refused',
      message: `${path} has the encoding UTF-16le; it was left as it was. Choose another path: views need UTF-8.`,
    })
    await store.close()
  })

  it('is waited for while another program holds all of it', async () => {
    const path = pathOf('test.db')
    const mine = (await loadDriver())(path)
    mine.exec('CREATE TABLE mine (id INTEGER)')
    mine.exec('BEGIN EXCLUSIVE')
    const store = sqliteStore(path)
    const opening = store.read('SELECT count(*) AS number FROM mine')
    await retriesLock()
    mine.exec('INSERT INTO mine VALUES (1)')
    mine.exec('COMMIT')
    expect(await opening).toEqual([{ number: 1 }])
    mine.close()
    await store.close()
  })
})

describeStore('sqliteStore', sqliteDatabase)
describeSame('sqliteStore', sqliteDatabase)
