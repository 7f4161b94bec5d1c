import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../../test/support/temporary.ts'
import { syncForm } from '../../src/round/form-round.ts'
import { Interrupted, type ReaderContext } from '../../src/round/reader.ts'
import { sqliteStore } from '../../src/sqlite/index.ts'
import { prepareStore } from '../../src/store/schema.ts'
import { Tables } from '../../src/store/tables.ts'
import { startService } from '../support/service.ts'

it('leaves a long list at a checkpoint, and continues there', async () => {
  const service = await startService()
  const form = service.filled(120)
  const store = sqliteStore(join(temporaryDirectory(), 'test.db'))
  onTestFinished(() => store.close())
  await prepareStore(store)
  const now = (): number => Date.now()
  let isOver = true
  const context: ReaderContext = {
    formwire: service.client(),
    tables: new Tables({
      store,
      workspaceId: '1',
      deleted: 'mark',
      onFirst: undefined,
      onViewFull: undefined,
      now,
    }),
    perPage: 10,
    prepare: async () => undefined,
    now,
    signal: undefined,
    onChanges: () => undefined,
    isOver: () => isOver,
  }
  const read = () =>
    syncForm(context, form, {
      deletions: true,
      drafts: false,
      verify: false,
      fullEveryMs: 1e9,
      responseCount: 120,
      sliced: true,
    })
  const rows = () => context.tables.form(form).count({ from: undefined, to: undefined })
  await expect(read()).rejects.toBeInstanceOf(Interrupted)
  // Five pages a transaction.
  expect(await rows()).toBe(50)
  isOver = false
  const before = service.requests
  expect(await read()).toBe(true)
  expect(await rows()).toBe(120)
  // The 70 others, the page that the checkpoint is on, and those that look for what came meanwhile.
  expect(service.requests - before).toBeLessThan(12)
})
