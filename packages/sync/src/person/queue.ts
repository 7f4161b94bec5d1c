import { isObject } from '@formwire/internal/json'
import { quoteName } from '../database/dialect.ts'
import type { SqlRow, SyncStore } from '../database/driver.ts'
import { QUEUE_SCHEMA } from '../engine/queue-status.ts'
import { StoreError } from '../errors.ts'
import { deadQueueOf, INBOX_QUEUE, type QueueState } from '../inbox/queue.ts'
import type { ResponseIds } from '../store/person-rows.ts'
import { BATCH } from '../store/statements.ts'
import { BY_ID, type PersonSearch, personColumns } from './columns.ts'

/** A response of a queue with what a person has submitted. Does not contain it. */
export interface PersonJob {
  workspaceId: string
  formId: string
  id: number
  /** What becomes of the response. One of several jobs of a response that is handled next comes first. */
  state: QueueState
  /** Where the email address is: `email`, and ids of questions; `id` for a response that was found by its ids. */
  columns: readonly string[]
}

/** The queue of an inbox on PostgreSQL, which `postgresQueue` has created. */
export interface PersonQueue {
  /** A store of the database. */
  store: SyncStore
  /** Schema of the queue. @default 'formwire_queue' */
  schema?: string | undefined
  /** Name of the queue. @default 'inbox' */
  name?: string | undefined
}

const STATES: Readonly<Record<string, QueueState>> = {
  created: 'pending',
  retry: 'pending',
  active: 'active',
  completed: 'handled',
}

/** The state that is reported for a response with several jobs, such as a dead one that is tried again. */
const BY_RANK: readonly QueueState[] = ['active', 'pending', 'dead', 'handled']

/** What is kept of a response, so that it is still recognized. */
const KEPT = `jsonb_build_object('id', data -> 'response' -> 'id', 'form_id', data -> 'response' -> 'form_id',
  'status', data -> 'response' -> 'status', 'submitted_at', data -> 'response' -> 'submitted_at', 'answers', '[]'::jsonb)`

/**
 * Returns the responses of a person in the queue of an inbox: pending, active, dead, and handled ones that it remembers. With `email`,
 * reads the whole queue, some hundred jobs at a time. Writes nothing.
 *
 * @throws StoreError if the database fails, or `refused` without such a queue
 */
export async function findPersonJobs({
  email,
  responses = [],
  forms,
  workspaceId,
  ...queue
}: PersonSearch & PersonQueue): Promise<PersonJob[]> {
  const found = new Map<string, PersonJob>()
  const add = (
    { name, state, data }: SqlRow,
    columnsOf: (response: Record<string, unknown>) => readonly string[],
  ): void => {
    if (!isObject(data) || !isObject(data.response)) return
    const job = {
      workspaceId: String(data.workspace_id),
      formId: String(data.form_id),
      id: Number(data.response_id),
    }
    if ((workspaceId ?? job.workspaceId) !== job.workspaceId || (forms && !forms.includes(job.formId))) return
    const columns = columnsOf(data.response)
    if (columns.length === 0) return
    const isDead = name === deadQueueOf(queue.name ?? INBOX_QUEUE)
    const one = { ...job, state: isDead ? 'dead' : (STATES[String(state)] ?? 'dead'), columns }
    const key = JSON.stringify(Object.values(job))
    const before = found.get(key)
    if (!before || BY_RANK.indexOf(one.state) < BY_RANK.indexOf(before.state)) found.set(key, one)
  }
  await openQueue(queue)
  if (email !== undefined)
    for await (const job of jobsOf(queue)) add(job, (response) => personColumns(email, response))
  // An erased one has no member for the address.
  for (const ids of responses)
    for await (const job of jobsOf(queue, ids)) add(job, (response) => ('email' in response ? BY_ID : []))
  return [...found.values()]
}

/** @throws StoreError without such a queue */
async function openQueue({ store, schema = QUEUE_SCHEMA, name = INBOX_QUEUE }: PersonQueue): Promise<void> {
  await store.open()
  const queues = `${quoteName(schema)}.queue`
  const refused = new StoreError(`The database has no queue "${name}" in the schema "${schema}".`, 'refused')
  if (store.dialect.name !== 'postgres') throw refused
  const [exists] = await store.read('SELECT to_regclass(?) IS NOT NULL AS found', [queues], {
    isQualified: true,
  })
  if (!exists?.found) throw refused
  const found = await store.read(`SELECT name FROM ${queues} WHERE name = ?`, [name], { isQualified: true })
  if (found.length === 0) throw refused
}

/** Yields the jobs of a queue and of its dead responses: all, or those of one response. */
async function* jobsOf(
  { store, schema = QUEUE_SCHEMA, name = INBOX_QUEUE }: PersonQueue,
  ids?: ResponseIds,
): AsyncGenerator<SqlRow> {
  const members = {
    ...(ids && { form_id: ids.formId, response_id: String(ids.id) }),
    ...(ids?.workspaceId !== undefined && { workspace_id: ids.workspaceId }),
  }
  const conditions = Object.keys(members).map((member) => `AND data ->> '${member}' = ? `)
  for (const one of [name, deadQueueOf(name)]) {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await store.read(
        `SELECT id, name, state, data FROM ${quoteName(schema)}.job WHERE name = ? AND id > ?::uuid ${conditions.join('')}ORDER BY id LIMIT ${BATCH}`,
        [one, after, ...Object.values(members)],
        { isQualified: true },
      )
      yield* rows
      if (rows.length < BATCH) break
      after = String(rows.at(-1)?.id)
    }
  }
}

/**
 * Erases responses in the queue of an inbox, in one transaction. Dead ones are removed. All others count as handled, so that they are
 * neither handled later nor stored again, and keep only ids, status and `submitted_at`; a handler that runs has its response already.
 * Returns how many responses were erased.
 *
 * @throws StoreError
 */
export async function erasePersonJobs({
  store,
  schema = QUEUE_SCHEMA,
  name = INBOX_QUEUE,
  responses,
}: PersonQueue & {
  responses: readonly Pick<PersonJob, 'workspaceId' | 'formId' | 'id'>[]
}): Promise<number> {
  const jobs = `${quoteName(schema)}.job`
  let erased = 0
  for (let start = 0; start < responses.length; start += BATCH) {
    const batch = responses.slice(start, start + BATCH)
    const keys = batch.flatMap(({ workspaceId, formId, id }) => [workspaceId, formId, String(id)])
    // By key, since a job that fails is replaced by another one.
    const isOne = `(data ->> 'workspace_id', data ->> 'form_id', data ->> 'response_id') IN (${batch.map(() => '(?, ?, ?)').join(', ')})`
    await store.transaction(`queue ${schema} ${name}`, async (session) => {
      for (let left = true; left; ) {
        await session.run(
          `UPDATE ${jobs} AS j SET data = jsonb_set(data, '{response}', ${KEPT}), output = NULL, completed_on = now(),
            deletion_seconds = (SELECT q.deletion_seconds FROM ${quoteName(schema)}.queue AS q WHERE q.name = j.name),
            state = CASE WHEN state < 'completed' THEN 'completed' ELSE state END WHERE name = ? AND ${isOne}`,
          [name, ...keys],
        )
        await session.run(`DELETE FROM ${jobs} WHERE name = ? AND ${isOne}`, [deadQueueOf(name), ...keys])
        // A statement does not see the jobs that replace those of which it waited for the failure.
        const found = await session.query(
          `SELECT 1 FROM ${jobs} WHERE name IN (?, ?) AND ${isOne} AND jsonb_exists(data -> 'response', 'email') LIMIT 1`,
          [name, deadQueueOf(name), ...keys],
        )
        left = found.length > 0
      }
    })
    erased += batch.length
  }
  return erased
}
