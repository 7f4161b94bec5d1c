/** One rate budget for all processes that share a PostgreSQL database. */
import { type PostgresOptions, PostgresTable, postgresFailure } from '@formwire/internal/postgres'
import { checkMethods } from '../check-arguments.ts'
import type { BudgetStore } from '../http/rate-budget.ts'
import { checkPostgres } from '../postgres-options.ts'
import { budgetStore, type SlotStore, WINDOW_MS } from './shared-budget.ts'

export type { PostgresPool } from '@formwire/internal/postgres'
export { BudgetUnavailableError, isBudgetUnavailableError } from './shared-budget.ts'

/** Options of {@link postgresBudget}. */
export interface PostgresBudgetOptions extends PostgresOptions {
  /** Milliseconds since the Unix epoch, the same in all processes, for tests. @default the clock of PostgreSQL */
  now?: (() => number) | undefined
}

/**
 * Shares the rate budget of a key between all processes with the same PostgreSQL database and schema, so that together they never send
 * more than `perMinute` requests within a minute. A 429 in one process holds all of them. Within a process, writes go before reads, and
 * reads before polling. The table `formwire_budgets`, which is created on first use, contains a hash of the key only.
 *
 * Nothing is sent without a slot: if PostgreSQL is unavailable, calls wait 10 s for it and then reject with BudgetUnavailableError. Polls
 * pause and continue. Each request costs two statements, without a transaction or session state, so that a pooler may run them anywhere.
 *
 * @example
 * const store = postgresBudget({ connectionString: process.env.DATABASE_URL })
 * const formwire = new Formwire({ rateLimit: { perMinute: 120, store } })
 * @throws UsageError if an option is unknown or invalid.
 */
export function postgresBudget(options: PostgresBudgetOptions = {}): BudgetStore {
  checkPostgres('postgresBudget()', options, ['now'])
  const { now } = options
  if (now !== undefined) checkMethods('now', now, ['call'], 'a function')
  const table = new PostgresTable(options, 'formwire_budgets', create)
  return budgetStore((id) => postgresSlots(table, id, now))
}

/** `slots` contains the instant at which each slot is free again, and `held_until` the one until which a 429 blocks the key. */
const create = (table: string): string =>
  `CREATE TABLE IF NOT EXISTS ${table} (id bigint PRIMARY KEY, ` +
  "slots jsonb NOT NULL DEFAULT '{}', held_until double precision NOT NULL DEFAULT 0)"

// Each statement changes one row, which PostgreSQL locks, and reads that row as the one before left it. $1 is the id, and $2 the time,
// or null for that of PostgreSQL, which all processes share.
const NOW = 'coalesce($2::float8, extract(epoch FROM statement_timestamp())::float8 * 1000)'

/** $3 slot, $4 limit, $5 lease. `next` is the time until fewer slots than the limit are taken. */
const take = (table: string): string => `
INSERT INTO ${table} AS b (id, slots) VALUES ($1, jsonb_build_object($3::text, ${NOW} + $5::float8))
ON CONFLICT (id) DO UPDATE SET slots = (
  SELECT coalesce(jsonb_object_agg(key, value::float8), '{}') ||
    CASE WHEN b.held_until <= ${NOW} AND count(*) < $4::float8 THEN excluded.slots ELSE '{}' END
  FROM jsonb_each_text(b.slots) WHERE value::float8 > ${NOW})
RETURNING jsonb_exists(slots, $3::text) AS granted, held_until - ${NOW} AS held,
  (SELECT count(*)::int FROM jsonb_object_keys(slots)) AS used,
  (SELECT value::float8 - ${NOW} FROM jsonb_each_text(b.slots) ORDER BY value::float8 DESC
   OFFSET greatest(0, $4::float8 - 1)::bigint LIMIT 1) AS next`

/** $3 slot, $4 window. */
const end = (table: string): string => `
INSERT INTO ${table} AS b (id, slots) VALUES ($1, jsonb_build_object($3::text, ${NOW} + $4::float8))
ON CONFLICT (id) DO UPDATE SET slots = b.slots || excluded.slots`

/** $3 milliseconds. */
const hold = (table: string): string => `
INSERT INTO ${table} AS b (id, held_until) VALUES ($1, ${NOW} + $3::float8)
ON CONFLICT (id) DO UPDATE SET held_until = greatest(b.held_until, excluded.held_until)`

/** $2 slot. */
const release = (table: string): string => `UPDATE ${table} SET slots = slots - $2::text WHERE id = $1`

function postgresSlots(table: PostgresTable, id: number, now: (() => number) | undefined): SlotStore {
  const { name } = table
  const run = (sql: string, ...values: (string | number)[]) =>
    table.query(sql, [id, now?.() ?? null, ...values])
  return {
    async take(slot, limit, leaseMs) {
      const [row] = await run(take(name), slot, limit, leaseMs)
      const { granted, held, used, next } = row as {
        granted: boolean
        held: number
        used: number
        next: number | null
      }
      const heldMs = granted ? 0 : Math.max(0, Math.ceil(held))
      // A request in flight may end now, which frees its slot a minute later.
      const nextMs = granted ? 0 : Math.min(WINDOW_MS, Math.ceil(next ?? 0))
      return { granted, waitMs: Math.max(heldMs, nextMs), heldMs, remaining: Math.max(0, limit - used) }
    },
    end: (slot) => run(end(name), slot, WINDOW_MS),
    release: (slot) => table.query(release(name), [id, slot]),
    hold: (waitMs) => run(hold(name), waitMs),
    failure(cause) {
      const place = `the rate budget in ${name}`
      const { isTemporary, code, message } = postgresFailure(cause, place, 'nothing was sent. See "cause".')
      return { message, code, isPermanent: !isTemporary }
    },
  }
}
