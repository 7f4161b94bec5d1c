import { createHash } from 'node:crypto'
import { cleanText } from '../database/dialect.ts'
import type { startEngine } from '../engine/boss.ts'
import type { SyncedResponse } from '../options.ts'
import type { Arrival, QueuedResponse, QueueState, ResponseKey } from './queue.ts'

/** Jobs that a list reads at once. */
export const PAGE = 1000

/** Characters of a stored error. */
const MAX_MESSAGE = 2000

/** The engine of the queues. */
export type Boss = Awaited<ReturnType<typeof startEngine>>
/** A job of the engine, for one response. */
export type Job = Awaited<ReturnType<typeof readPage>>[number]

/** What a job contains. */
export interface Payload extends ResponseKey {
  source: Arrival['source']
  response: SyncedResponse
}

/** Returns the ids of jobs. */
export const idsOf = (jobs: readonly { id: string }[]): string[] => jobs.map(({ id }) => id)

/** Returns the job of which a dead one is a copy. */
export const originalOf = ({ data }: Job) => ({ id: idOf(data), data })

/** Reads the jobs of a queue after an id, at most {@link PAGE}. @param isQueued only jobs that no worker has taken */
export function readPage(boss: Boss, name: string, after: string | undefined, isQueued: boolean) {
  return boss.findJobs<Payload>(name, {
    limit: PAGE,
    ...(isQueued ? { queued: true } : {}),
    ...(after === undefined ? {} : { after }),
  })
}

/** Matches the id of a response in the queue. */
export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Returns the id of a response: a UUID of version 8. */
export function idOf({ workspace_id, form_id, response_id }: ResponseKey): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([workspace_id, form_id, response_id]))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/** Returns the queued response of a job. */
export function queued(job: Job): QueuedResponse {
  const { workspace_id, form_id, response_id, source } = job.data
  // A dead letter is a copy.
  const isDead = job.sourceId !== null
  const output = (isDead ? job.sourceOutput : job.output) as {
    message?: unknown
    value?: { message?: unknown }
  } | null
  const message = output?.message ?? output?.value?.message
  return {
    id: job.id,
    workspace_id,
    form_id,
    response_id,
    state: isDead ? 'dead' : STATES[job.state],
    source,
    attempts: isDead ? (job.sourceRetryCount ?? 0) + 1 : job.startedOn ? job.retryCount + 1 : 0,
    queued_at: (job.sourceCreatedOn ?? job.createdOn).toISOString(),
    ended_at: (isDead ? job.createdOn : job.completedOn)?.toISOString() ?? null,
    error: typeof message === 'string' ? message : null,
  }
}

const STATES: Readonly<Record<Job['state'], QueueState>> = {
  created: 'pending',
  retry: 'pending',
  active: 'active',
  completed: 'handled',
  cancelled: 'dead',
  // Kept so that the response is not stored again; its copy in the queue of dead letters counts.
  failed: 'dead',
}

/** The message of an error, without what may be in its other members. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return cleanText(message.slice(0, MAX_MESSAGE))
}
