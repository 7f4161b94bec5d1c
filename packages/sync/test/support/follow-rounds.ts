import { createSync, type Sync, type SyncOptions, type SyncStore } from '../../src/index.ts'
import { clockOf, NOON, type Service } from './service.ts'
import { sqliteDatabase, type TestDatabase } from './stores.ts'

interface FollowOptions extends Partial<SyncOptions<unknown>> {
  /** Called after each round, counted from 0. */
  between?: (round: number, sync: Sync) => Promise<void> | void
  /** Called when a pause waits for the rate budget. */
  waited?: () => void
  verify?: boolean
  /** Keeps the rows of several calls. @default a new one */
  database?: TestDatabase
  /** Returns the store to use in place of the one of the database. */
  wrap?: (store: SyncStore) => SyncStore
}

/** Time between rounds. Requests take none. */
const INTERVAL_MS = 30_000

/** How often the rate budget is looked at in a pause. */
const BUDGET_CHECK_MS = 1000

/** Follows all forms for some rounds, and returns the requests of each. */
export async function followRounds(
  service: Service,
  rounds: number,
  { between, waited, verify, database: given, wrap = (store) => store, ...options }: FollowOptions = {},
): Promise<{ costs: number[]; live: number[] }> {
  const database = given ?? sqliteDatabase()
  const stop = new AbortController()
  /** Requests up to the end of each round. */
  const requests = [0]
  let now = NOON
  let roundAt = now
  const pass = async (ms: number): Promise<void> => {
    now += ms
    if (ms === BUDGET_CHECK_MS) waited?.()
    if (now < roundAt + INTERVAL_MS) return
    roundAt = now
    requests.push(service.requests)
    const round = requests.length - 2
    if (round + 1 === rounds) stop.abort()
    else await between?.(round, sync)
  }
  const clock = { ...clockOf(service, pass), now: () => now }
  const store = wrap(database.store())
  const formwire = service.client()
  const sync = createSync({ formwire, store, forms: 'all', signal: stop.signal, clock, ...options })
  await sync.run({ verify })
  const rows = await database.query('SELECT id FROM formwire_responses WHERE deleted_at IS NULL ORDER BY id')
  if (!given) await database.close()
  return {
    costs: requests.slice(1).map((sum, index) => sum - (requests[index] as number)),
    live: rows.map(({ id }) => Number(id)),
  }
}
