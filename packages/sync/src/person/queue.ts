import { isObject } from '@formwire/internal/json'
import { quoteName } from '../database/dialect.ts'
import type { SqlRow, SyncStore } from '../database/driver.ts'
import { QUEUE_SCHEMA } from '../engine/queue-status.ts'
import { StoreError } from '../errors.ts'
import { deadQueueOf, INBOX_QUEUE, type QueueState } from '../inbox/queue.ts'
import { BATCH } from '../store/statements.ts'
import { personColumns } from './columns.ts'

/** A response of a queue with what a person has submitted. Does not contain it. */
export interface PersonJob {
  workspaceId: string
  formId: string
  id: number
  /** What becomes of the response. One of several jobs of a response that is handled next comes first. */
  state: QueueState
  /** Where the email address is: `email`, and ids of questions. */
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
 * Returns the responses of a person in the queue of an inbox: pending, active, dead, and handled ones that it remembers. Reads the whole
 * queue, some hundred jobs at a time, and writes nothing.
 *
 * @param forms ids of the forms to search. @default all forms
 * @param workspaceId id of the workspace to search. @default all workspaces
 * @throws StoreError if the database fails, or `refused` without such a queue
 */
export async function findPersonJobs({
  email,
  forms,
  workspaceId,
  ...queue
}: PersonQueue & {
  email: string
  forms?: readonly string[] | undefined
  workspaceId?: string | undefined
}): Promise<PersonJob[]> {
  const found = new Map<string, PersonJob>()
  for await (const { name, state, data } of jobsOf(queue)) {
    if (!isObject(data) || !isObject(data.response)) continue
    const job = {
      workspaceId: String(data.workspace_id),
      formId: String(data.form_id),
      id: Number(data.response_id),
    }
    if ((workspaceId ?? job.workspaceId) !== job.workspaceId || (forms && !forms.includes(job.formId)))
      continue
    const columns = personColumns(email, data.response)
    if (columns.length === 0) continue
    const isDead = name === deadQueueOf(queue.name ?? INBOX_QUEUE)
    const one = { ...job, state: isDead ? 'dead' : (STATES[String(state)] ?? 'dead'), columns }
    const key = JSON.stringify(Object.values(job))
    const before = found.get(key)
    if (!before || BY_RANK.indexOf(one.state) < BY_RANK.indexOf(before.state)) found.set(key, one)
  }
  return [...found.values()]
}

/** Yields the jobs of a queue, and of its dead responses. */
async function* jobsOf({
  store,
  schema = QUEUE_SCHEMA,
  name = INBOX_QUEUE,
}: PersonQueue): AsyncGenerator<SqlRow> {
  await store.open()
  const [queues, jobs] = [`${quoteName(schema)}.queue`, `${quoteName(schema)}.job`]
  const read: SyncStore['read'] = (sql, parameters) => store.read(sql, parameters, { isQualified: true })
  const refused = new StoreError(`The database has no queue "${name}" in the schema "${schema}".`, 'refused')
  if (store.dialect.name !== 'postgres') throw refused
  const [exists] = await read('SELECT to_regclass(?) IS NOT NULL AS found', [queues])
  if (!exists?.found) throw refused
  if ((await read(`SELECT name FROM ${queues} WHERE name = ?`, [name])).length === 0) throw refused
  for (const one of [name, deadQueueOf(name)]) {
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await read(
        `SELECT id, name, state, data FROM ${jobs} WHERE name = ? AND id > ?::uuid ORDER BY id LIMIT ${BATCH}`,
        [one, after],
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
      await session.run(
        `UPDATE ${jobs} AS j SET data = jsonb_set(data, '{response}', ${KEPT}), output = NULL, completed_on = now(),
          deletion_seconds = (SELECT q.deletion_seconds FROM ${quoteName(schema)}.queue AS q WHERE q.name = j.name),
          state = CASE WHEN state < 'completed' THEN 'completed' ELSE state END WHERE name = ? AND ${isOne}`,
        [name, ...keys],
      )
      await session.run(`DELETE FROM ${jobs} WHERE name = ? AND ${isOne}`, [deadQueueOf(name), ...keys])
    })
    erased += batch.length
  }
  return erased
}
