import type { SyncStore } from '@formwire/sync'
import type { Context } from '../context.ts'

/** Milliseconds after which it is announced that the database has not responded. */
const PATIENCE_MS = 2000

/** Returns the store, which announces each of its operations that takes long: the lock of another program is waited for in silence. */
export function announcingWaits(context: Context, store: SyncStore): SyncStore {
  const watched = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = new AbortController()
    context.runtime.clock.sleep(PATIENCE_MS, done.signal).then(
      () => {
        if (!done.signal.aborted)
          context.output.announce(
            'waiting_for_database',
            'waiting for the database; another program may have locked it',
          )
      },
      () => undefined,
    )
    return await work().finally(() => done.abort())
  }
  return {
    dialect: store.dialect,
    load: () => store.load?.() ?? Promise.resolve(),
    open: () => watched(() => store.open()),
    transaction: (lock, work) => watched(() => store.transaction(lock, work)),
    read: (sql, parameters) => watched(() => store.read(sql, parameters)),
    close: () => store.close(),
  }
}
