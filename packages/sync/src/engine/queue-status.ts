import { quoteName } from '../database/dialect.ts'
import type { SyncStore } from '../database/driver.ts'

/** Schema of the queues, unless another one is given. */
export const QUEUE_SCHEMA = 'formwire_queue'

/** Jobs that read one form. */
export const FORM_QUEUE = 'formwire-forms'

/** How many forms wait to be read. */
export interface QueueStatus {
  /** Forms that can be read now. */
  queued: number
  /** Forms that are being read. */
  active: number
  /** Forms that failed and are tried again later. */
  retrying: number
  /** Forms that failed too often. Each is tried again when its turn comes. */
  failed: number
  /** Age of the oldest form that can be read now, 0 if there is none. */
  oldest_seconds: number
}

/** Returns the state of a queue of a fleet, or `undefined` if the database has none. @throws StoreError */
export async function readQueueStatus(
  store: Pick<SyncStore, 'read' | 'dialect'>,
  schema = QUEUE_SCHEMA,
): Promise<QueueStatus | undefined> {
  if (store.dialect.name !== 'postgres') return undefined
  const table = `${quoteName(schema)}.job`
  const [found] = await store.read('SELECT to_regclass(?) IS NOT NULL AS found', [table])
  if (!found?.found) return undefined
  const isReady = `name = '${FORM_QUEUE}' AND state = 'created'`
  const [row] = await store.read(
    `SELECT count(*) FILTER (WHERE ${isReady}) AS queued,
      count(*) FILTER (WHERE name = '${FORM_QUEUE}' AND state = 'active') AS active,
      count(*) FILTER (WHERE name = '${FORM_QUEUE}' AND state = 'retry') AS retrying,
      count(*) FILTER (WHERE name = '${FORM_QUEUE}-failed' AND state = 'created') AS failed,
      coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE ${isReady})), 0) AS oldest_seconds
      FROM ${table}`,
  )
  const numbers = Object.entries(row ?? {}).map(([name, value]) => [
    name,
    Math.max(0, Math.round(Number(value))),
  ])
  return Object.fromEntries(numbers) as QueueStatus
}
